package orrery.gateway;

import java.util.Optional;
import orrery.gateway.Authorizer.Reach;
import orrery.gateway.api.ContainerRef;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.resource.Container;

/**
 * Lets requests in: finds the container that one is about, and checks that its principal may do
 * there what it asks for.
 */
final class Doorkeeper {
    private final Resolver resolver;
    private final Authorizer authorizer;

    Doorkeeper(Resolver resolver, Authorizer authorizer) {
        this.resolver = resolver;
        this.authorizer = authorizer;
    }

    /** Checks a request that is about no container. */
    void check(RequestContext context, Action action) {
        authorizer.check(context.principal(), action, Reach.ACCOUNT);
    }

    void check(RequestContext context, Action action, Container container) {
        authorizer.check(context.principal(), action, Reach.of(container));
    }

    /** Returns the container that is the subject of a request. */
    Container subject(RequestContext context, ContainerRef ref, Action action) {
        Container container = resolver.container(ref);
        check(context, action, container);
        return container;
    }

    /** Returns the container that owns what a request is about. */
    Container owner(RequestContext context, ContainerRef ref, Action action) {
        return owner(context, ref, action, Optional.empty());
    }

    /**
     * Returns the container that owns what a request is about.
     *
     * @param key the one key that the request names, if it does
     */
    Container owner(
            RequestContext context, ContainerRef ref, Action action, Optional<PartitionKey> key) {
        Container container = resolver.owner(ref);
        authorizer.check(context.principal(), action, Reach.of(container, key));
        return container;
    }
}
