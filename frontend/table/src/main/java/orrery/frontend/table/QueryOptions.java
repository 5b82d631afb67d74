package orrery.frontend.table;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.frontend.rest.PercentText;

/** The query of a request, decoded: options of OData, continuations, parts of a SAS. */
public final class QueryOptions {
    private final Map<String, String> values;

    private QueryOptions(Map<String, String> values) {
        this.values = values;
    }

    /**
     * @param query raw, without its question mark; a plus stands for a blank, as in forms
     * @throws TableException if it is not percent-encoded UTF-8, or names an option twice
     */
    public static QueryOptions parse(String query) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
            String value = decoded(equals < 0 ? "" : pair.substring(equals + 1));
            if (values.put(name, value) != null) {
                throw TableException.of(
                        name.equals("sig")
                                ? TableErrorCode.AUTHENTICATION_FAILED
                                : TableErrorCode.INVALID_QUERY_PARAMETER,
                        "The option '" + name + "' stands in the query twice.");
            }
        }
        return new QueryOptions(values);
    }

    private static String decoded(String text) {
        return PercentText.decode(text.replace('+', ' '))
                .orElseThrow(
                        () ->
                                TableException.of(
                                        TableErrorCode.INVALID_QUERY_PARAMETER,
                                        "The query must be UTF-8, percent-encoded."));
    }

    /** The value of an option; one that is empty counts as absent. */
    public Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    public boolean is(String name, String value) {
        return value.equalsIgnoreCase(values.get(name));
    }

    /** The names of all options, in the order in which they came. */
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }
}
