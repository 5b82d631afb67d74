package orrery.replication;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import orrery.model.OrreryException;

/** A log that takes commands only while the disk has space for them. */
public final class ReservedLog<C, O> implements CommandLog<C, O> {
    private final CommandLog<C, O> log;
    private final DiskReserve reserve;
    private final Predicate<C> takesSpace;
    private final ToIntFunction<C> sizeOf;

    /**
     * @param takesSpace false for commands that delete, or finish what was begun
     */
    public ReservedLog(
            CommandLog<C, O> log,
            DiskReserve reserve,
            Predicate<C> takesSpace,
            ToIntFunction<C> sizeOf) {
        this.log = log;
        this.reserve = reserve;
        this.takesSpace = takesSpace;
        this.sizeOf = sizeOf;
    }

    @Override
    public O submit(C command, Duration timeout) {
        reserve.admit(takesSpace.test(command), sizeOf.applyAsInt(command));
        return log.submit(command, timeout);
    }

    @Override
    public Optional<OrreryException> failure() {
        return log.failure();
    }

    @Override
    public void close() {
        log.close();
    }
}
