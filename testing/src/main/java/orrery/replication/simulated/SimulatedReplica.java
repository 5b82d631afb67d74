package orrery.replication.simulated;

import java.util.List;
import java.util.random.RandomGenerator;

/** One member of a simulated set, with a disk of its own. */
public interface SimulatedReplica<C, O> extends AutoCloseable {
    /** Position of the last entry whose effects it has; falls in a crash. */
    long appliedPosition();

    List<O> apply(long position, List<C> commands);

    /** Stops without warning, loses what was not yet safe on disk, and starts again. */
    void crash(RandomGenerator random);

    @Override
    void close();
}
