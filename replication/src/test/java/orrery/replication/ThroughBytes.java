package orrery.replication;

import java.util.List;
import java.util.function.Function;
import orrery.model.Bytes;

/**
 * Drives a machine by the bytes of its entries, as a replica is driven that got them from another
 * node: what a command has beyond its bytes does not reach the machine.
 */
public final class ThroughBytes<C, O> implements StateMachine<C, O> {
    private final StateMachine<C, O> machine;
    private final Function<C, Bytes> encoder;
    private final Function<Bytes, C> decoder;

    public ThroughBytes(
            StateMachine<C, O> machine, Function<C, Bytes> encoder, Function<Bytes, C> decoder) {
        this.machine = machine;
        this.encoder = encoder;
        this.decoder = decoder;
    }

    @Override
    public long appliedPosition() {
        return machine.appliedPosition();
    }

    @Override
    public int level() {
        return machine.level();
    }

    @Override
    public Prepared<O> prepare(long position, List<C> commands) {
        Bytes bytes = new LogEntry<>(level(), position, 0, 0, commands).encode(encoder);
        return machine.prepare(position, LogEntry.decode(bytes, decoder).commands());
    }

    @Override
    public boolean readsCommitted(List<C> commands) {
        return machine.readsCommitted(commands);
    }
}
