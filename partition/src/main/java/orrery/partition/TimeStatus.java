package orrery.partition;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The clock of this machine compared with the times of its partitions.
 *
 * @param jumps of the clock since the start
 * @param ahead how far the partition that is furthest ahead of the clock is; zero where none is
 */
public record TimeStatus(long jumps, Optional<Jump> lastJump, Duration ahead) {
    /**
     * @param to what the clock said afterwards
     * @param by negative where it was set back
     */
    public record Jump(Instant to, Duration by) {}
}
