package orrery.server;

import java.lang.System.Logger;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import orrery.cluster.api.Account;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.Admission;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.sql.BodyReader;
import orrery.frontend.sql.Json;
import orrery.frontend.sql.MasterKeyAuthorizer;
import orrery.frontend.sql.SqlPath;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext.Principal;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;

/**
 * The part of the operator API that is about the account itself: its settings and its keys. It lets
 * in who has a key of the account, and who owns the data directory.
 */
final class AccountEndpoint implements HttpHandler {
    static final String SETTINGS = "account";
    static final String KEYS = "keys";

    private static final Logger LOG = System.getLogger(AccountEndpoint.class.getName());
    private static final String ROOT = "/_orrery/";

    private final Account account;
    private final MasterKeyAuthorizer holders;
    private final MasterKeyAuthorizer owner;
    private final SecureRandom random;

    /**
     * @param holders lets in who has an account key
     * @param owner lets in who can read the server's data directory
     */
    AccountEndpoint(
            Account account,
            MasterKeyAuthorizer holders,
            MasterKeyAuthorizer owner,
            SecureRandom random) {
        this.account = account;
        this.holders = holders;
        this.owner = owner;
        this.random = random;
    }

    static boolean isAsked(HttpRequest head) {
        return head.path().equals(ROOT + SETTINGS) || head.path().equals(ROOT + KEYS);
    }

    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        try {
            SqlPath path = SqlPath.parse(head.path().substring(ROOT.length()));
            boolean mayWrite = mayWrite(head, path);
            return new Admission.Admitted(true, whole -> answer(whole, mayWrite));
        } catch (OrreryException refused) {
            return new Admission.Refused(error(refused));
        }
    }

    private boolean mayWrite(HttpRequest head, SqlPath path) {
        Principal principal;
        try {
            principal = owner.authorize(head, path);
        } catch (OrreryException notTheOwner) {
            principal = holders.authorize(head, path);
        }
        return switch (principal) {
            case Principal.Account(boolean isReadOnly) -> !isReadOnly;
        };
    }

    private HttpReply answer(HttpRequest request, boolean mayWrite) {
        String what = request.path().substring(ROOT.length());
        try {
            return HttpReply.json(
                    200,
                    JsonText.writeBytes(
                            switch (request.method() + " " + what) {
                                case "GET account" -> settings();
                                case "PUT account" -> {
                                    require(mayWrite, "change settings");
                                    yield change(request.body());
                                }
                                case "GET keys" -> {
                                    require(mayWrite, "see keys");
                                    yield shown(keys(), List.of(KeyKind.values()));
                                }
                                case "POST keys" -> {
                                    require(mayWrite, "replace keys");
                                    yield replace(request.body());
                                }
                                default ->
                                        throw new OrreryException(
                                                ErrorCode.METHOD_NOT_ALLOWED,
                                                request.method()
                                                        + " is not possible at "
                                                        + request.path()
                                                        + ".");
                            }));
        } catch (OrreryException refused) {
            return error(refused);
        }
    }

    private static void require(boolean mayWrite, String what) {
        if (!mayWrite) {
            throw new OrreryException(
                    ErrorCode.FORBIDDEN,
                    "A read-only key cannot " + what + ". Use a read-write key of the account.");
        }
    }

    private Value.Obj settings() {
        return AccountChange.to(account.settings()).toJson();
    }

    private Value.Obj change(Bytes body) {
        AccountChange change = AccountChange.parse(body);
        account.changeSettings(change::applyTo);
        LOG.log(
                Logger.Level.INFO,
                "settings of the account changed: {0}",
                String.join(" ", change.asFlags()));
        return settings();
    }

    private AccountKeys keys() {
        return account.keys().orElseThrow();
    }

    private Value.Obj replace(Bytes body) {
        BodyReader json = BodyReader.of(body);
        Optional<Value> named = json.find("replace");
        json.finish();
        List<KeyKind> kinds =
                named.filter(Value.Array.class::isInstance).map(Value.Array.class::cast).stream()
                        .flatMap(array -> array.elements().stream())
                        .map(AccountEndpoint::kind)
                        .distinct()
                        .toList();
        if (kinds.isEmpty()) {
            throw json.refused("replace", "must name keys, as [\"primary\"]");
        }
        account.replaceKeys(fresh(kinds, random));
        LOG.log(Logger.Level.INFO, "account keys replaced: {0}", kinds);
        return shown(keys(), kinds);
    }

    /** Makes a new key for each kind. */
    static Map<KeyKind, String> fresh(List<KeyKind> kinds, SecureRandom random) {
        Map<KeyKind, String> fresh = new TreeMap<>();
        kinds.forEach(kind -> fresh.put(kind, AccountKeys.newKey(random)));
        return fresh;
    }

    private static KeyKind kind(Value value) {
        return Stream.of(KeyKind.values())
                .filter(kind -> Value.of(kind.toString()).equals(value))
                .findFirst()
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.BAD_REQUEST,
                                        "A key is one of "
                                                + List.of(KeyKind.values())
                                                + ", not "
                                                + JsonText.write(value)
                                                + "."));
    }

    /** Returns keys by their names. */
    static Value.Obj shown(AccountKeys keys, List<KeyKind> kinds) {
        Json.Builder json = Json.builder();
        kinds.forEach(kind -> json.put(kind.toString(), keys.get(kind)));
        return json.build();
    }

    private static HttpReply error(OrreryException failure) {
        if (failure.code() == ErrorCode.INTERNAL) {
            LOG.log(Logger.Level.ERROR, "a request about the account failed", failure);
        }
        return HttpReply.json(
                failure.code().status(),
                JsonText.writeBytes(
                        Json.builder()
                                .put("code", failure.code().name())
                                .put("message", failure.text())
                                .build()));
    }
}
