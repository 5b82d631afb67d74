package orrery.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import orrery.bench.process.ProcessFigures;

/**
 * Lets contestants run in turn, A B C A B C, so that whatever else happens to the machine happens
 * to all of them, and takes the median of each.
 *
 * @param seconds of one round of one contestant
 */
record Rounds(WarmUp warmUp, int rounds, double seconds) {
    /**
     * The time before anything counts: each contestant runs until it gets no faster. The compiler
     * needs more of it if there is less CPU.
     *
     * @param leastSeconds at least so long, the first answers being the slowest
     * @param mostSeconds at most so long
     */
    record WarmUp(double sliceSeconds, double leastSeconds, double mostSeconds) {
        /** Less than this is no gain. */
        private static final double GAIN = 1.03;

        /** A slice may be slow by accident, so one without a gain does not end it. */
        private static final int SLICES_WITHOUT_GAIN = 2;

        void run(Contestant contestant) throws Exception {
            double best = 0;
            int idle = 0;
            for (double done = 0;
                    done < leastSeconds || (done < mostSeconds && idle < SLICES_WITHOUT_GAIN);
                    done += sliceSeconds) {
                double rate = contestant.run(sliceSeconds);
                idle = rate > best * GAIN ? 0 : idle + 1;
                best = Math.max(best, rate);
            }
        }
    }

    /** Something that can be run for a time. */
    interface Contestant {
        String name();

        /** The process whose CPU time is looked at: the one that does the work. */
        ProcessHandle process();

        /** Returns operations per second. */
        double run(double seconds) throws Exception;
    }

    /**
     * The medians of one contestant.
     *
     * @param cpuMicros CPU time of its process per operation
     * @param spread (highest - lowest) / median of the rates, to judge how quiet the machine was
     */
    record Score(String name, double perSecond, double cpuMicros, double spread) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s %.1f µs CPU per operation, spread %.0f %%",
                    name,
                    cpuMicros,
                    100 * spread);
        }
    }

    List<Score> run(List<? extends Contestant> contestants, Progress progress) throws Exception {
        for (Contestant contestant : contestants) {
            progress.say("warm-up of " + contestant.name());
            warmUp.run(contestant);
        }
        int count = contestants.size();
        double[][] rates = new double[count][rounds];
        double[][] cpu = new double[count][rounds];
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < count; i++) {
                Contestant contestant = contestants.get(i);
                long before = ProcessFigures.cpu(contestant.process()).toNanos();
                double rate = contestant.run(seconds);
                long used = ProcessFigures.cpu(contestant.process()).toNanos() - before;
                rates[i][round] = rate;
                cpu[i][round] = used / 1000.0 / Math.max(1, rate * seconds);
                progress.say(
                        String.format(
                                Locale.ROOT,
                                "round %d of %d: %s %,.0f/s",
                                round + 1,
                                rounds,
                                contestant.name(),
                                rate));
            }
        }
        List<Score> scores = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double median = median(rates[i]);
            double spread =
                    (Arrays.stream(rates[i]).max().orElse(0)
                                    - Arrays.stream(rates[i]).min().orElse(0))
                            / median;
            scores.add(new Score(contestants.get(i).name(), median, median(cpu[i]), spread));
        }
        return scores;
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
