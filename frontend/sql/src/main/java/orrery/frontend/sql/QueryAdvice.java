package orrery.frontend.sql;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Query;
import orrery.query.syntax.Scalar;

/**
 * Finds parts of a filter that could be written better, and names them by the numbers for which
 * SDKs have a text.
 */
final class QueryAdvice {
    private QueryAdvice() {}

    /** Encoded as clients read it; empty if there is nothing to say. */
    static Optional<String> of(Query query) {
        Set<String> ids = new LinkedHashSet<>();
        query.where().ifPresent(where -> collect(where, ids));
        if (ids.isEmpty()) {
            return Optional.empty();
        }
        Value advice =
                new Value.Array(
                        ids.stream()
                                .<Value>map(
                                        id ->
                                                Json.object(
                                                        "Id",
                                                        Value.of(id),
                                                        "Params",
                                                        new Value.Array(List.of())))
                                .toList());
        return Optional.of(URLEncoder.encode(JsonText.write(advice), StandardCharsets.UTF_8));
    }

    private static void collect(Scalar scalar, Set<String> ids) {
        if (scalar instanceof Scalar.Call(BuiltIn function, _)) {
            switch (function) {
                // STARTSWITH reads a range of the index, CONTAINS all of its values.
                case CONTAINS -> ids.add("QA1002");
                // Their static forms are the same for the whole query.
                case GETCURRENTDATETIME -> ids.add("QA1007");
                case GETCURRENTTICKS -> ids.add("QA1008");
                case GETCURRENTTIMESTAMP -> ids.add("QA1009");
                default -> {}
            }
        }
        scalar.children().forEach(child -> collect(child, ids));
    }
}
