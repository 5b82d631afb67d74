package orrery.frontend.gremlin.auth;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.frontend.rest.KeyPolicy;
import orrery.frontend.rest.TokenReader;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext.Principal;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;

/**
 * Decides who may log in. The password is a key of the account or a resource token. Thread-safe.
 */
public final class Logins {
    /** The words of the service, which clients look for. */
    private static final String REFUSED = "Unauthorized: Invalid credentials provided";

    private static final String TOKEN_HEAD = "type=resource&";

    private final Supplier<AccountKeys> account;
    private final KeyPolicy policy;
    private final TokenReader tokens;

    /**
     * @param account the keys of this moment
     * @param policy says from where the published key may be used
     */
    public Logins(Supplier<AccountKeys> account, KeyPolicy policy, TokenReader tokens) {
        this.account = account;
        this.policy = policy;
        this.tokens = tokens;
    }

    /**
     * Reads an answer to the question who the client is.
     *
     * @param sasl {@code NUL user NUL password} in Base64
     * @throws OrreryException UNAUTHORIZED or FORBIDDEN for whoever is not let in
     */
    public Login login(String sasl, InetAddress remote) {
        String[] parts = decoded(sasl).split("\0", -1);
        if (parts.length != 3) {
            throw refused();
        }
        GraphName graph =
                GraphName.parse(parts[1])
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.UNAUTHORIZED,
                                                REFUSED
                                                        + ". The user name of a graph is"
                                                        + " /dbs/<database>/colls/<graph>."));
        String password = parts[2];
        if (password.startsWith(TOKEN_HEAD)) {
            Login.ByToken holder = new Login.ByToken(graph, password);
            principal(holder);
            return holder;
        }
        KeyKind kind = kindOf(password).orElseThrow(Logins::refused);
        if (password.equals(AccountKeys.WELL_KNOWN_KEY) && !policy.allowsWellKnownKey(remote)) {
            throw new OrreryException(
                    ErrorCode.UNAUTHORIZED,
                    REFUSED
                            + ". The well-known emulator key works on the server's own machine only."
                            + " Use a key of the account's own.");
        }
        return new Login.ByKey(graph, kind, password);
    }

    /**
     * Tells who sends a request behind a login.
     *
     * @throws OrreryException UNAUTHORIZED or FORBIDDEN once the key or the token has ended
     */
    public Principal principal(Login login) {
        return switch (login) {
            case Login.ByKey holder -> {
                if (!account.get().get(holder.kind()).equals(holder.key())) {
                    throw new OrreryException(
                            ErrorCode.UNAUTHORIZED,
                            REFUSED + ". The key was replaced since this connection logged in.");
                }
                yield new Principal.Account(holder.kind());
            }
            case Login.ByToken holder -> tokens.open(holder.token());
        };
    }

    /** All keys are compared, so that the time tells nothing about which one it was. */
    private Optional<KeyKind> kindOf(String password) {
        byte[] given = password.getBytes(StandardCharsets.UTF_8);
        AccountKeys keys = account.get();
        return Arrays.stream(KeyKind.values())
                .filter(
                        kind ->
                                MessageDigest.isEqual(
                                        keys.get(kind).getBytes(StandardCharsets.UTF_8), given))
                .toList()
                .stream()
                .findFirst();
    }

    private static String decoded(String sasl) {
        try {
            return new String(Base64.getDecoder().decode(sasl), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            throw refused();
        }
    }

    private static OrreryException refused() {
        return new OrreryException(ErrorCode.UNAUTHORIZED, REFUSED);
    }
}
