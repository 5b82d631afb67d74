package orrery.frontend.mongo;

import java.net.InetSocketAddress;
import java.util.UUID;

/** Hears of each command when it has been answered, on the thread of the command. */
@FunctionalInterface
public interface CommandListener {
    CommandListener NONE = _ -> {};

    void answered(Answered command);

    /**
     * A command that was answered.
     *
     * @param principal the kind of key that its sender has shown; {@code none} for nobody
     * @param operation its name; one that there is not has the name {@code unknown}
     * @param link the database or collection that it names
     * @param isManagement true if it changes more than documents
     * @param code of the failure; 0 if it has succeeded
     * @param charge in request units
     */
    record Answered(
            UUID activityId,
            InetSocketAddress remote,
            String principal,
            String operation,
            String link,
            boolean isManagement,
            int code,
            double charge,
            long nanos) {}
}
