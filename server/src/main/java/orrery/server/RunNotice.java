package orrery.server;

import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import orrery.frontend.rest.KeyAuthenticator;
import orrery.frontend.rest.KeyPolicy;
import orrery.model.security.AccountKeys;

/** Keeps the file of a running server in its data directory for as long as the server runs. */
final class RunNotice implements AutoCloseable {
    private final Path root;
    private final RunFile starting;

    private final AccountKeys keys;

    private RunNotice(Path root, RunFile starting, AccountKeys keys) {
        this.root = root;
        this.starting = starting;
        this.keys = keys;
    }

    static RunNotice post(Path root, SecureRandom random) {
        AccountKeys keys = AccountKeys.generate(random);
        RunFile starting = RunFile.starting(keys.primary());
        starting.write(root);
        return new RunNotice(root, starting, keys);
    }

    void ready(
            URI local,
            URI clients,
            Optional<URI> tables,
            Optional<String> mongo,
            Optional<URI> gremlin,
            int statusPort) {
        starting.ready(local, clients, tables, mongo, gremlin, statusPort).write(root);
    }

    /** Lets in who has read the file; of the four keys only one is in it. */
    KeyAuthenticator authenticator(InstantSource clock) {
        return new KeyAuthenticator(() -> keys, KeyPolicy.loopbackOnly(), clock);
    }

    @Override
    public void close() {
        RunFile.delete(root);
    }
}
