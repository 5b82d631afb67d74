package orrery.server.client;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;

/** Turns what the server says to programs into what a person needs to hear. */
final class Refusals {
    /** The server tells authors of clients what it would have signed; the key is what is wrong. */
    private static final String SIGNED_TEXT = "(?s) Server used the following payload.*";

    private static final Pattern LISTED =
            Pattern.compile("^Message: (\\{.*\\})\\R", Pattern.DOTALL);

    /** Follows the reason where the server does not list it. */
    private static final Pattern TRAILER = Pattern.compile("\\R?ActivityId: .*", Pattern.DOTALL);

    private Refusals() {}

    /**
     * Returns the sentence for a refusal.
     *
     * @param subject what the request was about, for a server that does not say what is missing
     */
    static String explain(int status, String message, String subject) {
        String text = plain(message);
        if (status == 401) {
            return "The server refuses the key. Pass the right one with --key or in ORRERY_KEY; "
                    + Hint.of("keys show")
                    + " on the server prints it. The server says: "
                    + text.replaceFirst(SIGNED_TEXT, "");
        }
        boolean isBare =
                text.equals("Resource Not Found.") || text.startsWith("Entity with the specified");
        return status == 404 && isBare
                ? "There is no " + subject + ". " + Hint.of("ls") + " shows what is there."
                : text;
    }

    /** Reasons come as JSON inside a text for programs. */
    private static String plain(String message) {
        Matcher list = LISTED.matcher(message);
        if (!list.find()) {
            return TRAILER.matcher(message).replaceFirst("");
        }
        try {
            Answer body = Answer.parse(list.group(1));
            return String.join("\n", reasons(body));
        } catch (OrreryException | ClientException notSo) {
            return message;
        }
    }

    private static List<String> reasons(Answer body) {
        return body.find("Errors").isPresent()
                ? body.elements("Errors").stream()
                        .map(error -> error instanceof Value.Text(String text) ? text : "")
                        .toList()
                : body.objects("errors").stream().map(Refusals::reason).toList();
    }

    private static String reason(Answer error) {
        String place =
                error.find("location").isPresent()
                        ? ", characters "
                                + error.object("location").integer("start")
                                + " to "
                                + error.object("location").integer("end")
                        : "";
        String code =
                error.value("code") instanceof Value.Text(String text)
                        ? text
                        : JsonText.write(error.value("code"));
        return error.text("message") + " (" + code + place + ")";
    }
}
