package orrery.server;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** JSON that is valid, on one line, and as awkward as the format allows. */
final class NastyJson {
    private static final List<String> SCALARS =
            List.of(
                    "-0",
                    "-0.0",
                    "0e0",
                    "1E5",
                    "1e+05",
                    "1e-400",
                    "1.7976931348623157e308",
                    "12345678901234567890",
                    "-9223372036854775808",
                    "9223372036854775808",
                    "0.10000000000000000000000000000000000001",
                    "100000000000000000000000000000000000000000000",
                    "null",
                    "true",
                    "\"\"",
                    "\"\\u0000\"",
                    "\"\\ud83d\\ude00\"",
                    "\"😀 é 日本\"",
                    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                    "\"\\u2028\u2028\u2029\"",
                    "\"]},{[\"",
                    "\"@param -- comment\"",
                    "\" \"");

    private final Random random;

    NastyJson(Random random) {
        this.random = random;
    }

    String scalar() {
        return SCALARS.get(random.nextInt(SCALARS.size()));
    }

    String value(int depth) {
        int kind = random.nextInt(8);
        if (kind == 0 && depth == 0) {
            return "[".repeat(120) + scalar() + "]".repeat(120);
        }
        if (kind < 4 || depth > 6) {
            return scalar();
        }
        String blank = List.of("", " ", "\t", "  ").get(random.nextInt(4));
        int count = random.nextInt(4);
        return kind < 6
                ? IntStream.range(0, count)
                        .mapToObj(_ -> blank + value(depth + 1) + blank)
                        .collect(Collectors.joining(",", "[", "]"))
                : IntStream.range(0, count)
                        .mapToObj(i -> blank + name(i) + blank + ":" + blank + value(depth + 1))
                        .collect(Collectors.joining(",", "{", "}"));
    }

    /** No name comes twice, which the server would mend. */
    private String name(int number) {
        return List.of("\"a", "\"_ts", "\"\\u0041", "\"日 ", "\"$ /").get(random.nextInt(5))
                + number
                + "\"";
    }
}
