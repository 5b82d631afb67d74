package orrery.script;

import java.time.Duration;
import orrery.model.SizeLimits;

/**
 * Limits of one run of a script, and of the number of runs at once.
 *
 * @param time from its first line to its last, its operations included
 * @param statements of JavaScript, counted by the interpreter
 * @param allocatedBytes all that it ever asked the heap for, a bound on what it can hold
 * @param resultBytes of its answer, in UTF-8 as sent
 * @param logChars of its log, which travels in a header; what is more is cut off
 * @param threads scripts of one container that run at once; others may run half as many more
 * @param waiting scripts of one container that wait for a thread; the next is refused
 */
public record ScriptLimits(
        Duration time,
        long statements,
        long allocatedBytes,
        int resultBytes,
        int logChars,
        int threads,
        int waiting) {
    /**
     * The service's five seconds. Interpreted code does up to some ten million statements a second,
     * and a loop over numbers allocates 250 MB.
     */
    public static ScriptLimits standard(int processors) {
        return new ScriptLimits(
                Duration.ofSeconds(5),
                100_000_000,
                1L << 30,
                SizeLimits.DEFAULT.maxPageBytes(),
                4096,
                Math.max(2, processors),
                64);
    }

    public ScriptLimits withTime(Duration shorter) {
        return new ScriptLimits(
                shorter.compareTo(time) < 0 ? shorter : time,
                statements,
                allocatedBytes,
                resultBytes,
                logChars,
                threads,
                waiting);
    }
}
