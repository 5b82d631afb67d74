package orrery.frontend.sql;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.query.index.IndexUse;

/** The index metrics of a query, in the two forms that clients read. */
final class IndexMetricsJson {
    private IndexMetricsJson() {}

    /** The older form, for Java, Python and Go. */
    static String base64(IndexUse use) {
        Value json =
                Json.builder()
                        .put("UtilizedSingleIndexes", singles(use.paths(), true))
                        .put("PotentialSingleIndexes", singles(use.missing(), false))
                        .put("UtilizedCompositeIndexes", composites(use.composites(), true))
                        .put(
                                "PotentialCompositeIndexes",
                                composites(use.missingComposites(), false))
                        .build();
        return Base64.getEncoder().encodeToString(JsonText.writeBytes(json).unsafeArray());
    }

    private static Value singles(List<String> specs, boolean isPrecise) {
        return new Value.Array(
                specs.stream()
                        .map(
                                spec ->
                                        (Value)
                                                Json.builder()
                                                        .put("FilterExpression", "")
                                                        .put("IndexSpec", spec)
                                                        .put("FilterPreciseSet", isPrecise)
                                                        .put("IndexPreciseSet", isPrecise)
                                                        .put("IndexImpactScore", "High")
                                                        .build())
                        .toList());
    }

    private static Value composites(List<List<String>> specs, boolean isPrecise) {
        return new Value.Array(
                specs.stream()
                        .map(
                                spec ->
                                        (Value)
                                                Json.builder()
                                                        .put("IndexSpecs", Json.texts(spec))
                                                        .put("IndexPreciseSet", isPrecise)
                                                        .put("IndexImpactScore", "High")
                                                        .build())
                        .toList());
    }

    /** The newer form, for .NET and JavaScript. */
    static String urlEncoded(IndexUse use) {
        Value json =
                Json.builder()
                        .put("UtilizedIndexes", both(use.paths(), use.composites(), false))
                        .put("PotentialIndexes", both(use.missing(), use.missingComposites(), true))
                        .build();
        // A space is written %20: clients decode as in a path, not as in a form.
        return URLEncoder.encode(JsonText.write(json), StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static Value.Obj both(
            List<String> singles, List<List<String>> composites, boolean hasScore) {
        return Json.builder()
                .put(
                        "SingleIndexes",
                        new Value.Array(
                                singles.stream()
                                        .map(spec -> scored("IndexSpec", Value.of(spec), hasScore))
                                        .toList()))
                .put(
                        "CompositeIndexes",
                        new Value.Array(
                                composites.stream()
                                        .map(
                                                spec ->
                                                        scored(
                                                                "IndexSpecs",
                                                                Json.texts(spec),
                                                                hasScore))
                                        .toList()))
                .build();
    }

    private static Value scored(String name, Value spec, boolean hasScore) {
        Json.Builder json = Json.builder().put(name, spec);
        return (hasScore ? json.put("IndexImpactScore", "High") : json).build();
    }
}
