package orrery.frontend.mongo.auth;

import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import orrery.frontend.rest.KeyPolicy;
import orrery.model.security.AccountKeys;

/**
 * Begins logins. The user is the name of the account and the password one of its keys. Thread-safe.
 */
public final class ScramAuthenticator {
    private static final int NONCE_BYTES = 24;

    private final String user;
    private final Supplier<AccountKeys> account;
    private final KeyPolicy policy;
    private final SecureRandom random;
    private final Map<ScramMechanism, byte[]> salts = new EnumMap<>(ScramMechanism.class);
    private final byte[] secret = new byte[32];

    /** To derive them takes tens of thousands of rounds, so it is done once for each change. */
    private final Map<ScramMechanism, ScramKeys> derived = new ConcurrentHashMap<>();

    /**
     * @param account the keys of this moment
     * @param policy says from where the published key may be used
     */
    public ScramAuthenticator(
            String user, Supplier<AccountKeys> account, KeyPolicy policy, SecureRandom random) {
        this.user = user;
        this.account = account;
        this.policy = policy;
        this.random = random;
        random.nextBytes(secret);
        for (ScramMechanism mechanism : ScramMechanism.values()) {
            byte[] salt = new byte[mechanism.saltBytes()];
            random.nextBytes(salt);
            salts.put(mechanism, salt);
        }
    }

    public String user() {
        return user;
    }

    /** Returns false once the key of a login has been replaced. */
    public boolean isValid(Login login) {
        return login.isValid(account.get());
    }

    /** Empty if the payload is no first message. Whether the user exists shows only at the end. */
    public Optional<ScramConversation> begin(
            ScramMechanism mechanism, byte[] payload, InetAddress remote) {
        return ScramConversation.ClientFirst.parse(payload)
                .map(first -> begin(mechanism, first, remote));
    }

    private ScramConversation begin(
            ScramMechanism mechanism, ScramConversation.ClientFirst first, InetAddress remote) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        String serverNonce = Base64.getEncoder().encodeToString(nonce);
        if (!first.user().equals(user)) {
            return ScramConversation.begin(
                    mechanism, first, List.of(), serverNonce, saltOfNobody(mechanism, first));
        }
        byte[] salt = salts.getOrDefault(mechanism, secret);
        List<ScramKeys.Key> keys =
                keys(mechanism, salt).stream()
                        .filter(
                                key ->
                                        !key.text().equals(AccountKeys.WELL_KNOWN_KEY)
                                                || policy.allowsWellKnownKey(remote))
                        .toList();
        return ScramConversation.begin(mechanism, first, keys, serverNonce, salt);
    }

    /** The same name gets the same salt each time, as that of a user would be. */
    private byte[] saltOfNobody(ScramMechanism mechanism, ScramConversation.ClientFirst first) {
        return Arrays.copyOf(
                ScramMechanism.SHA_256.hmac(secret, ScramMechanism.utf8(first.user())),
                mechanism.saltBytes());
    }

    private List<ScramKeys.Key> keys(ScramMechanism mechanism, byte[] salt) {
        AccountKeys present = account.get();
        ScramKeys known = derived.get(mechanism);
        if (known == null || !known.of().equals(present)) {
            known = ScramKeys.derive(mechanism, user, present, salt);
            derived.put(mechanism, known);
        }
        return known.keys();
    }
}
