package orrery.frontend.table;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.AccountSigners;
import orrery.frontend.rest.RequestDate;
import orrery.model.RequestContext.Principal;

/**
 * Lets in who signed a request with an account key, in the two forms of the service. Any name of
 * the account will do: clients derive it from hosts and paths, and its key is what counts.
 */
final class SharedKeys {
    private static final String SECONDARY = "-secondary";

    /** The two forms; they differ in what is signed. */
    private enum Form {
        SHARED_KEY("sharedkey"),
        SHARED_KEY_LITE("sharedkeylite");

        private final String scheme;

        Form(String scheme) {
            this.scheme = scheme;
        }
    }

    private final AccountSigners signers;
    private final InstantSource clock;
    private final RequestDate dates = new RequestDate();

    SharedKeys(AccountSigners signers, InstantSource clock) {
        this.signers = signers;
        this.clock = clock;
    }

    /**
     * @param authorization the header
     */
    Principal authenticate(
            String authorization, HttpRequest request, TablePath path, QueryOptions options) {
        int space = authorization.indexOf(' ');
        int colon = authorization.lastIndexOf(':');
        if (space <= 0 || colon < space) {
            throw malformed(authorization);
        }
        Form form = form(authorization.substring(0, space), authorization);
        String account = authorization.substring(space + 1, colon).strip();
        byte[] signature = base64(authorization.substring(colon + 1).strip());
        List<String> sent = sentDates(request);
        List<String> resources = resources(account, path, options);
        for (String date : sent) {
            for (String resource : resources) {
                Optional<AccountSigners.Key> key =
                        signers.find(text(form, request, date, resource), signature);
                if (key.isPresent()) {
                    requireFresh(date);
                    return principal(signers, key.get(), request);
                }
            }
        }
        // Showing the text we signed tells a client's author at once what differs; it holds no
        // secret.
        throw TableException.of(
                TableErrorCode.AUTHENTICATION_FAILED,
                "The wrong key is being used, or the text that is signed differs. If the key was"
                        + " replaced, `orrery keys show` prints the keys on the server. The server"
                        + " signed '"
                        + text(form, request, sent.getFirst(), resources.getFirst())
                        + "'.");
    }

    /** The holder of a key, if the key is good on the machine that the request comes from. */
    static Principal.Account principal(
            AccountSigners signers, AccountSigners.Key key, HttpRequest request) {
        if (!signers.allows(key, request)) {
            throw TableException.of(
                    TableErrorCode.AUTHENTICATION_FAILED,
                    "The published keys of the emulators work on the server's own machine only. Use"
                            + " a key of the account's own.");
        }
        return new Principal.Account(key.kind());
    }

    private static Form form(String scheme, String authorization) {
        String lower = scheme.toLowerCase(Locale.ROOT);
        for (Form form : Form.values()) {
            if (form.scheme.equals(lower)) {
                return form;
            }
        }
        throw malformed(authorization);
    }

    private static TableException malformed(String authorization) {
        String lower = authorization.toLowerCase(Locale.ROOT);
        if (lower.startsWith("type=") || lower.startsWith("type%3d")) {
            return TableException.of(
                    TableErrorCode.INVALID_AUTHENTICATION_INFO,
                    "Tokens and signatures of the SQL API do not work on the port of the Table API."
                            + " Use SharedKeyLite, SharedKey or a shared access signature.");
        }
        if (lower.startsWith("bearer ")) {
            return TableException.of(
                    TableErrorCode.INVALID_AUTHENTICATION_INFO,
                    "Microsoft Entra tokens are not available yet. Use an account key or a shared"
                            + " access signature.");
        }
        return new TableException(TableErrorCode.INVALID_AUTHENTICATION_INFO);
    }

    private static byte[] base64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException notBase64) {
            throw new TableException(TableErrorCode.INVALID_AUTHENTICATION_INFO);
        }
    }

    /** The dates that a client may have signed, the one that the service takes first. */
    private static List<String> sentDates(HttpRequest request) {
        List<String> sent = new ArrayList<>(2);
        request.header("x-ms-date").ifPresent(sent::add);
        request.header("date").filter(date -> !sent.contains(date)).ifPresent(sent::add);
        if (sent.isEmpty()) {
            throw TableException.of(
                    TableErrorCode.AUTHENTICATION_FAILED,
                    "The header x-ms-date or Date is missing.");
        }
        return sent;
    }

    private static String text(Form form, HttpRequest request, String date, String resource) {
        return switch (form) {
            case SHARED_KEY_LITE -> date + "\n" + resource;
            case SHARED_KEY ->
                    request.method()
                            + "\n"
                            + request.header("content-md5").orElse("")
                            + "\n"
                            + request.header("content-type").orElse("")
                            + "\n"
                            + date
                            + "\n"
                            + resource;
        };
    }

    /** The texts that clients sign for one resource; the first is that of the documentation. */
    private static List<String> resources(String account, TablePath path, QueryOptions options) {
        String primary =
                account.endsWith(SECONDARY)
                        ? account.substring(0, account.length() - SECONDARY.length())
                        : account;
        Set<String> paths = new LinkedHashSet<>();
        paths.add(path.sent());
        if (path.sent().equals("/")) {
            // Some clients sign the URL before their HTTP library adds the slash.
            paths.add("");
        }
        String secondaryPath = "/" + primary + SECONDARY;
        if (path.sent().startsWith(secondaryPath)) {
            paths.add("/" + primary + path.sent().substring(secondaryPath.length()));
        }
        // The one option that is signed.
        String comp = options.find("comp").map(value -> "?comp=" + value).orElse("");
        List<String> resources = new ArrayList<>();
        for (String one : paths) {
            resources.add("/" + account + one + comp);
            if (!primary.equals(account)) {
                resources.add("/" + primary + one + comp);
            }
        }
        return resources;
    }

    private void requireFresh(String text) {
        Instant date =
                dates.parse(text)
                        .orElseThrow(
                                () ->
                                        TableException.of(
                                                TableErrorCode.AUTHENTICATION_FAILED,
                                                "The date of the request is not in RFC 1123 form,"
                                                        + " such as Sun, 15 Nov 2026 06:34:56"
                                                        + " GMT."));
        if (!RequestDate.isFresh(date, clock.instant())) {
            throw TableException.of(
                    TableErrorCode.AUTHENTICATION_FAILED,
                    "The date of the request is more than "
                            + RequestDate.WINDOW.toMinutes()
                            + " minutes off; the server's clock shows "
                            + TableTime.format(clock.instant())
                            + ".");
        }
    }
}
