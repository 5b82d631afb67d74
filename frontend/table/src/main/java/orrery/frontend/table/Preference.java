package orrery.frontend.table;

import java.util.Locale;
import java.util.Optional;

/** The wish of a client for the body of what it has created. */
enum Preference {
    CONTENT("return-content"),
    NO_CONTENT("return-no-content");

    private static final int CREATED = 201;
    private static final int NO_BODY = 204;

    private final String text;

    Preference(String text) {
        this.text = text;
    }

    /** A client gets the body unless it asks, in words that we know, to have none. */
    static Preference of(TableRequest request) {
        Optional<String> wish =
                request.header("Prefer").map(text -> text.strip().toLowerCase(Locale.ROOT));
        return wish.filter(NO_CONTENT.text::equals).isPresent() ? NO_CONTENT : CONTENT;
    }

    int status() {
        return this == CONTENT ? CREATED : NO_BODY;
    }

    /** The value of {@code Preference-Applied}. */
    String text() {
        return text;
    }
}
