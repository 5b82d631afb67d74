package orrery.frontend.table;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.AccountSigners;
import orrery.frontend.rest.KeyPolicy;
import orrery.gateway.api.AccessPolicies;
import orrery.model.RequestContext.Principal;
import orrery.model.security.AccountKeys;

/**
 * Lets in who has an account key: who signs requests with it, and who holds a shared access
 * signature that was made with it.
 */
public final class TableKeys implements TableAuthenticator {
    /**
     * Published with Azurite, so it protects nothing. Clients of Azurite work unchanged where the
     * account has the published key of the other emulator.
     */
    static final String AZURITE_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private final SharedKeys keys;
    private final SharedAccessSignatures signatures;

    /**
     * @param account the keys of this moment
     * @param policies those that signatures name
     */
    public TableKeys(
            Supplier<AccountKeys> account,
            KeyPolicy policy,
            AccessPolicies policies,
            InstantSource clock) {
        AccountSigners signers = new AccountSigners(account, policy, List.of(AZURITE_KEY));
        this.keys = new SharedKeys(signers, clock);
        this.signatures = new SharedAccessSignatures(signers, policies, clock);
    }

    @Override
    public Principal authenticate(HttpRequest request, TablePath path, QueryOptions options) {
        // Some clients sign, too, but not what they send: the signature in the address decides.
        if (options.has("sig")) {
            return signatures.authenticate(options, request, path);
        }
        Optional<String> authorization = request.header("authorization");
        if (authorization.isPresent()) {
            return keys.authenticate(authorization.get(), request, path, options);
        }
        throw TableException.of(
                TableErrorCode.AUTHENTICATION_FAILED,
                "The request has no Authorization header and no shared access signature.");
    }
}
