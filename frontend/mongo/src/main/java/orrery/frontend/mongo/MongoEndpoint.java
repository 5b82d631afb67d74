package orrery.frontend.mongo;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import orrery.frontend.mongo.auth.ScramAuthenticator;
import orrery.frontend.mongo.command.Client;
import orrery.frontend.mongo.command.Commands;
import orrery.frontend.mongo.command.Traffic;
import orrery.gateway.api.Items;
import orrery.gateway.api.Resources;
import orrery.gateway.api.Streams;

/** The MongoDB API: what all connections of a port share. Safe for many threads. */
public final class MongoEndpoint {
    private final Commands commands;
    private final Traffic traffic = new Traffic();

    /**
     * @param authenticator says who may log in
     * @param listener hears of all commands
     */
    public MongoEndpoint(
            Items items,
            Resources resources,
            Streams streams,
            ScramAuthenticator authenticator,
            MongoConfig config,
            CommandListener listener,
            SecureRandom random) {
        this.commands =
                new Commands(
                        items,
                        resources,
                        streams,
                        authenticator,
                        config,
                        listener,
                        traffic,
                        random);
    }

    Traffic traffic() {
        return traffic;
    }

    MongoSession open(int connectionId, InetSocketAddress remote, InetSocketAddress local) {
        traffic.opened();
        return new MongoSession(commands, new Client(connectionId, remote, local), traffic);
    }
}
