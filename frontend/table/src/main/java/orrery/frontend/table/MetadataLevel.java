package orrery.frontend.table;

import java.util.Locale;
import java.util.Optional;

/** The amount of OData annotations in JSON that a client asks for. */
public enum MetadataLevel {
    NONE("nometadata"),
    MINIMAL("minimalmetadata"),
    FULL("fullmetadata");

    private final String parameter;

    MetadataLevel(String parameter) {
        this.parameter = parameter;
    }

    String contentType() {
        return "application/json;odata=" + parameter + ";streaming=true;charset=utf-8";
    }

    /**
     * Returns the level that a client asks for, by {@code $format} if that is given and else by
     * {@code Accept}.
     *
     * @throws TableException if it asks for something that is not JSON; no wish is one for ATOM
     */
    static MetadataLevel of(Optional<String> format, Optional<String> accept) {
        String wish = format.or(() -> accept).orElse("").replace(" ", "").toLowerCase(Locale.ROOT);
        for (String type : wish.split(",", -1)) {
            Optional<MetadataLevel> level = ofType(type);
            if (level.isPresent()) {
                return level.get();
            }
        }
        throw new TableException(
                wish.isEmpty() || wish.contains("atom")
                        ? TableErrorCode.ATOM_NOT_SUPPORTED
                        : TableErrorCode.MEDIA_TYPE_NOT_SUPPORTED);
    }

    private static Optional<MetadataLevel> ofType(String type) {
        String[] parts = type.split(";", -1);
        switch (parts[0]) {
            case "application/json", "json", "*/*", "application/*" -> {}
            default -> {
                return Optional.empty();
            }
        }
        for (int i = 1; i < parts.length; i++) {
            if (parts[i].startsWith("odata=")) {
                return ofParameter(parts[i].substring("odata=".length()));
            }
        }
        return Optional.of(MINIMAL);
    }

    private static Optional<MetadataLevel> ofParameter(String text) {
        for (MetadataLevel level : values()) {
            if (level.parameter.equals(text)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}
