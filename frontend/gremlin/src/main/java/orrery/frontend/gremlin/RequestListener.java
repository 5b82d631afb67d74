package orrery.frontend.gremlin;

import java.net.InetSocketAddress;
import java.util.UUID;

/** Hears of each request when it has been answered, on the thread of the request. */
@FunctionalInterface
public interface RequestListener {
    RequestListener NONE = _ -> {};

    void answered(Answered request);

    /**
     * A request that was answered.
     *
     * @param principal the kind of key that its sender has shown; {@code none} for nobody
     * @param operation its name; one that there is not has the name {@code unknown}
     * @param link the graph that it is about; empty for who has not logged in
     * @param code the status code of the service
     * @param charge in request units
     */
    record Answered(
            UUID activityId,
            InetSocketAddress remote,
            String principal,
            String operation,
            String link,
            int code,
            double charge,
            long nanos) {}
}
