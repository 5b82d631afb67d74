package orrery.partition.simulated;

import java.util.List;
import orrery.model.Bytes;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.replication.LogEntry;
import orrery.replication.StateMachine;
import orrery.storage.format.AppliedRecord;

/** Applies what the bytes of an entry say, as a replica does that got it from another node. */
final class ThroughBytes implements StateMachine<Command, Outcome> {
    private final StateMachine<Command, Outcome> machine;

    ThroughBytes(StateMachine<Command, Outcome> machine) {
        this.machine = machine;
    }

    @Override
    public long appliedPosition() {
        return machine.appliedPosition();
    }

    @Override
    public Prepared<Outcome> prepare(long position, List<Command> commands) {
        Bytes bytes =
                new LogEntry<>(AppliedRecord.FIRST_LEVEL, position, 0, 0, commands)
                        .encode(Command::encode);
        return machine.prepare(position, LogEntry.decode(bytes, Command::decode).commands());
    }

    @Override
    public boolean readsCommitted(List<Command> commands) {
        return machine.readsCommitted(commands);
    }
}
