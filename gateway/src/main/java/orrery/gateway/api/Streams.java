package orrery.gateway.api;

import java.util.List;
import orrery.model.RequestContext;
import orrery.model.resource.Container;

/**
 * Streams of all changes of containers of MongoDB. They read versions, so containers have to keep
 * them: {@link #watch} sees to that.
 */
public interface Streams {
    /**
     * Lets the containers of a scope keep versions, also those that are made there later. Whatever
     * is written after the call can be read. A call changes nothing where they do so already, and
     * needs the right to change them only where they do not.
     */
    void watch(RequestContext context, StreamScope scope);

    /** Lets a container keep versions from now on, or no longer. */
    Container keepVersions(RequestContext context, ContainerRef container, boolean isKept);

    /**
     * Reads a page. A token of another scope is refused with {@code BAD_REQUEST}; a start before
     * what is kept with {@code VERSIONS_LOST}, or {@code VERSIONS_NOT_KEPT} where nothing is.
     */
    StreamPage read(RequestContext context, StreamRequest request);

    /**
     * Divides a stream of one container by its present partitions: each token is good for a stream
     * of the changes of one, whatever becomes of it later.
     */
    List<String> split(
            RequestContext context, StreamScope.OneContainer scope, StreamRequest.Start start);
}
