package orrery.junit.sample;

import java.net.URI;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import orrery.junit.OrreryEndpoint;
import orrery.junit.OrreryExtension;

/** Waits for the other class, so that both run at the same time. */
@ExtendWith(OrreryExtension.class)
@Execution(ExecutionMode.CONCURRENT)
final class AtTheSameTimeOther {
    @Test
    void notesTheServer(@OrreryEndpoint URI endpoint)
            throws InterruptedException, BrokenBarrierException, TimeoutException {
        Seen.NOTES.add(endpoint.toString());
        Together.await();
    }
}
