package orrery.frontend.sql;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Puts the console output of scripts into the header in which SDKs look for it. */
final class ScriptLog {
    /** All headers of a reply must fit into what clients take, which may be 16 KB. */
    private static final int MAX_HEADER = 8 << 10;

    private ScriptLog() {}

    static void add(SqlReply reply, String log) {
        if (!log.isEmpty()) {
            reply.header(SqlHeaders.SCRIPT_LOG, encoded(log));
        }
    }

    /** Percent-encoded, cut where there is no more room for a whole character. */
    static String encoded(String log) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < log.length(); ) {
            int end = log.offsetByCodePoints(i, 1);
            // A plus would stay one in clients that decode the header as part of a path.
            String next =
                    URLEncoder.encode(log.substring(i, end), StandardCharsets.UTF_8)
                            .replace("+", "%20");
            if (text.length() + next.length() > MAX_HEADER) {
                break;
            }
            text.append(next);
            i = end;
        }
        return text.toString();
    }
}
