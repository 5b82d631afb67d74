package orrery.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import orrery.bench.process.ProcessFigures;

/** Waits until RocksDB has made up for what was written: that is no part of what is measured. */
final class IdleDisk {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private IdleDisk() {}

    static void await() throws IOException {
        ProcessHandle self = ProcessHandle.current();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        int idle = 0;
        long written = ProcessFigures.writtenBytes(self);
        while (idle < 4 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(500_000_000);
            long now = ProcessFigures.writtenBytes(self);
            idle = now == written ? idle + 1 : 0;
            written = now;
        }
    }
}
