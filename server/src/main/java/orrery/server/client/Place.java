package orrery.server.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A database, or a container in it, as people name it: {@code DB} or {@code DB/CONTAINER}. */
public record Place(String database, Optional<String> container) {
    public static Place ofDatabase(String name) {
        return new Place(name, Optional.empty());
    }

    public Place withContainer(String name) {
        return new Place(database, Optional.of(name));
    }

    /** The database. */
    public Place parent() {
        return ofDatabase(database);
    }

    /** Returns the link that a request about it signs. */
    String link() {
        return "dbs/" + database + container.map(name -> "/colls/" + name).orElse("");
    }

    /** The same in the path of a request. */
    String path() {
        return "dbs/"
                + encode(database)
                + container.map(name -> "/colls/" + encode(name)).orElse("");
    }

    /** Dots alone would be taken for a step in the path. */
    static String encode(String name) {
        return name.equals(".") || name.equals("..")
                ? name.replace(".", "%2E")
                : URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Says what it is, for a sentence. */
    String described() {
        String inDatabase = "database '" + database + "'";
        return container
                .map(name -> "container '" + name + "' in the " + inDatabase)
                .orElse(inDatabase);
    }

    @Override
    public String toString() {
        return database + container.map(name -> "/" + name).orElse("");
    }

    /** Reads {@code DB/CONTAINER}. */
    public static final class OfContainer implements ITypeConverter<Place> {
        @Override
        public Place convert(String text) {
            Place place = new OfEither().convert(text);
            if (place.container().isEmpty()) {
                throw new TypeConversionException("'" + text + "' is not DB/CONTAINER.");
            }
            return place;
        }
    }

    /** Reads {@code DB} or {@code DB/CONTAINER}. */
    static final class OfEither implements ITypeConverter<Place> {
        @Override
        public Place convert(String text) {
            int slash = text.indexOf('/');
            String database = slash < 0 ? text : text.substring(0, slash);
            String container = slash < 0 ? "" : text.substring(slash + 1);
            boolean isMissingOne = slash >= 0 && container.isEmpty();
            if (database.isEmpty() || isMissingOne || container.indexOf('/') >= 0) {
                throw new TypeConversionException("'" + text + "' is not DB or DB/CONTAINER.");
            }
            return new Place(database, Optional.of(container).filter(name -> !name.isEmpty()));
        }
    }
}
