package orrery.frontend.rest;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.frontend.http.HttpRequest;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.model.security.RequestSigner;

/**
 * Tells which key of the account has signed a text. Making a signer costs more than a request, so
 * those of the present keys are kept. Safe for many threads.
 */
public final class AccountSigners {
    /** A key of the account, and what it is good for. */
    public record Key(RequestSigner signer, KeyKind kind, boolean isWellKnown) {}

    private record Signers(AccountKeys of, List<Key> keys) {}

    /**
     * The place of the key that signed last. Most clients have the same one, so it is tried first.
     */
    private volatile int last;

    private final Supplier<AccountKeys> account;
    private final KeyPolicy policy;
    private final List<String> aliases;
    private volatile Signers signers;

    /**
     * @param account the keys of this moment: asked at each request, so that a key that was
     *     replaced opens nothing any more
     */
    public AccountSigners(Supplier<AccountKeys> account, KeyPolicy policy) {
        this(account, policy, List.of());
    }

    /**
     * @param aliases other published keys, which count as the well-known key where the account has
     *     that
     */
    public AccountSigners(Supplier<AccountKeys> account, KeyPolicy policy, List<String> aliases) {
        this.account = account;
        this.policy = policy;
        this.aliases = List.copyOf(aliases);
        this.signers = signers(account.get());
    }

    /** Returns the key that made a signature of a text. */
    public Optional<Key> find(String text, byte[] signature) {
        List<Key> keys = keys();
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        int first = last;
        for (int i = 0; i < keys.size(); i++) {
            int at = (first + i) % keys.size();
            if (MessageDigest.isEqual(keys.get(at).signer().sign(payload), signature)) {
                if (at != first) {
                    last = at;
                }
                return Optional.of(keys.get(at));
            }
        }
        return Optional.empty();
    }

    /** Returns false for a published key that comes from a machine where it is not good. */
    public boolean allows(Key key, HttpRequest request) {
        if (!key.isWellKnown()) {
            return true;
        }
        InetAddress remote = request.remote().getAddress();
        return remote != null && policy.allowsWellKnownKey(remote);
    }

    private List<Key> keys() {
        AccountKeys present = account.get();
        Signers known = signers;
        if (!known.of().equals(present)) {
            known = signers(present);
            signers = known;
        }
        return known.keys();
    }

    private Signers signers(AccountKeys of) {
        List<Key> keys = new ArrayList<>();
        for (KeyKind kind : KeyKind.values()) {
            keys.add(key(of.get(kind), kind));
        }
        // A key that is published for one purpose must open no more than the other.
        keys.stream()
                .filter(Key::isWellKnown)
                .findFirst()
                .ifPresent(
                        known -> {
                            for (String alias : aliases) {
                                keys.add(new Key(new RequestSigner(alias), known.kind(), true));
                            }
                        });
        return new Signers(of, List.copyOf(keys));
    }

    private static Key key(String base64, KeyKind kind) {
        return new Key(new RequestSigner(base64), kind, base64.equals(AccountKeys.WELL_KNOWN_KEY));
    }
}
