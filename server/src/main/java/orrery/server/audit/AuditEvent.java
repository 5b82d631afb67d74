package orrery.server.audit;

import java.time.Instant;
import java.util.Locale;
import orrery.document.JsonText;
import orrery.frontend.rest.Json;

/**
 * A request that the audit log keeps. It holds nothing that opens anything: no keys, tokens,
 * signatures, queries or bodies.
 *
 * @param activityId by which the client knows the request
 * @param client the address that the request came from
 * @param principal the kind of credential that the sender has shown
 * @param operation a verb and a type of resource, as {@code DELETE colls}
 * @param link to the resource, as it was sent
 */
public record AuditEvent(
        Instant time,
        Kind kind,
        String activityId,
        String client,
        String principal,
        String operation,
        String link,
        int status,
        int substatus) {
    /** The client chooses some texts; so many characters tell what it asked for. */
    static final int MOST_CHARACTERS = 1024;

    /** The reason why a request is kept. */
    public enum Kind {
        /** Changed something other than items, or tried to. */
        MANAGEMENT,
        /** Was not let in, or may not do what it asked for. */
        REFUSED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the event as one line of ASCII. */
    String line() {
        return ascii(
                JsonText.write(
                        Json.builder()
                                .put("time", time.toString())
                                .put("event", kind.toString())
                                .put("activityId", bounded(activityId))
                                .put("client", bounded(client))
                                .put("principal", bounded(principal))
                                .put("operation", bounded(operation))
                                .put("link", bounded(link))
                                .put("status", status)
                                .put("substatus", substatus)
                                .build()));
    }

    /** Returns a line that says how many lines are missing before it. */
    static String missing(Instant time, Kind kind, String reason, long lines) {
        return JsonText.write(
                Json.builder()
                        .put("time", time.toString())
                        .put("event", kind.toString())
                        .put("missing", lines)
                        .put("reason", reason)
                        .build());
    }

    private static String bounded(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "…";
    }

    /** Some programs take characters beyond ASCII for the end of a line, or for commands. */
    private static String ascii(String json) {
        StringBuilder line = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c >= ' ' && c < 0x7F) {
                line.append(c);
            } else {
                line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
        return line.toString();
    }
}
