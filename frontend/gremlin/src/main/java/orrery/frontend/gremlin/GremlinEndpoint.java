package orrery.frontend.gremlin;

import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.frontend.gremlin.auth.Logins;
import orrery.frontend.gremlin.traversal.Graphs;
import orrery.gateway.api.Resources;

/** The Gremlin API: what all connections of a port share. Safe for many threads. */
public final class GremlinEndpoint {
    private final Resources resources;
    private final Logins logins;
    private final GremlinConfig config;
    private final RequestListener listener;
    private final Supplier<Graphs> maker;
    private volatile @Nullable Graphs graphs;

    /**
     * @param graphs asked when the first traversal comes: to load what runs them takes a second,
     *     which servers without graphs do not have to spend
     */
    public GremlinEndpoint(
            Supplier<Graphs> graphs,
            Resources resources,
            Logins logins,
            GremlinConfig config,
            RequestListener listener) {
        this.maker = graphs;
        this.resources = resources;
        this.logins = logins;
        this.config = config;
        this.listener = listener;
    }

    Graphs graphs() {
        Graphs made = graphs;
        if (made == null) {
            synchronized (maker) {
                made = graphs == null ? maker.get() : graphs;
                graphs = made;
            }
        }
        return made;
    }

    Resources resources() {
        return resources;
    }

    Logins logins() {
        return logins;
    }

    GremlinConfig config() {
        return config;
    }

    RequestListener listener() {
        return listener;
    }

    GremlinSession open(InetSocketAddress remote) {
        return new GremlinSession(this, remote);
    }
}
