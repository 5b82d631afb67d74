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
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.frontend.rest.JsonReply;
import orrery.frontend.rest.KeyAuthenticator;
import orrery.frontend.rest.ResourcePath;
import orrery.gateway.Action;
import orrery.gateway.Authorizer;
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
    static final String ROOT = "/_orrery/";

    /** The kind of sender that owns the data directory. */
    static final String OWNER = "data directory";

    private static final Logger LOG = System.getLogger(AccountEndpoint.class.getName());

    private final Account account;
    private final KeyAuthenticator holders;
    private final KeyAuthenticator owner;
    private final Authorizer authorizer = new Authorizer();
    private final SecureRandom random;

    /**
     * @param holders lets in who has an account key
     * @param owner lets in who can read the server's data directory
     */
    AccountEndpoint(
            Account account,
            KeyAuthenticator holders,
            KeyAuthenticator owner,
            SecureRandom random) {
        this.account = account;
        this.holders = holders;
        this.owner = owner;
        this.random = random;
    }

    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        try {
            ResourcePath path = ResourcePath.parse(head.path().substring(ROOT.length()));
            return isOwner(head, path)
                    ? admitted(OWNER, new Principal.Account(false))
                    : admitted(holders.authenticate(head, path));
        } catch (OrreryException refused) {
            return new Admission.Refused(JsonReply.failed(LOG, head, refused));
        }
    }

    private Admission admitted(Principal holder) {
        return admitted(holder.kind(), holder);
    }

    private Admission admitted(String sender, Principal principal) {
        return new Admission.Admitted(true, sender, whole -> answer(whole, principal));
    }

    private boolean isOwner(HttpRequest head, ResourcePath path) {
        try {
            owner.authenticate(head, path);
            return true;
        } catch (OrreryException notTheOwner) {
            return false;
        }
    }

    /** To see the keys is to be able to do anything with them, so it counts as a change. */
    @Override
    public boolean isManagement(HttpRequest head) {
        return HttpHandler.super.isManagement(head) || head.path().equals(ROOT + KEYS);
    }

    private HttpReply answer(HttpRequest request, Principal principal) {
        try {
            return JsonReply.of(answerOf(request, principal));
        } catch (OrreryException refused) {
            return JsonReply.failed(LOG, request, refused);
        }
    }

    private Value.Obj answerOf(HttpRequest request, Principal principal) {
        return switch (request.method() + " " + request.path().substring(ROOT.length())) {
            case "GET " + SETTINGS -> {
                check(principal, Action.READ_SETTINGS);
                yield settings();
            }
            case "PUT " + SETTINGS -> {
                check(principal, Action.CHANGE_SETTINGS);
                yield change(request.body());
            }
            case "GET " + KEYS -> {
                check(principal, Action.SEE_KEYS);
                yield shown(keys(), List.of(KeyKind.values()));
            }
            case "POST " + KEYS -> {
                check(principal, Action.REPLACE_KEYS);
                yield replace(request.body());
            }
            default -> throw JsonReply.methodNotAllowed(request);
        };
    }

    private void check(Principal principal, Action action) {
        authorizer.check(principal, action, Authorizer.Reach.ACCOUNT);
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
}
