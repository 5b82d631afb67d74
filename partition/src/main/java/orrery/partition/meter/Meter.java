package orrery.partition.meter;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import orrery.model.metering.RequestTerms;

/**
 * The request units of one physical partition, or of a slot that several share. Post-paid: a
 * request is admitted while the balance is positive and charged with what it really cost, so the
 * balance may fall below zero and the next one waits until time has paid the debt. In any window
 * the consumption is at most the budget of the window and of one second more, plus what is under
 * way when the balance runs out: one request per thread.
 *
 * <p>With autoscale the budget is the maximum; {@link #hourlyPeaks} tells how much of it each hour
 * used. Budget and settings may change at any moment. Safe for all threads.
 */
public final class Meter {
    /** A meter with less than this may save and burst, and never faster than this. */
    public static final int BURST_RU_PER_SECOND = 3_000;

    /** Seconds of unused budget that are kept for bursts. */
    public static final int BURST_SECONDS = 300;

    /** A minute's extra budget, in seconds of the normal one: 1,000 RU for each 100 RU/s. */
    public static final int MINUTE_SECONDS = 10;

    /** A budget of minutes is not for partitions above this. */
    public static final int MINUTE_MAX_RU_PER_SECOND = 5_000;

    private static final double CAPACITY_SECONDS = 1;

    /**
     * Seconds of budget that low priority leaves to high priority. This costs low priority nothing
     * of its rate, only a part of the first burst. Requests that were admitted together are paid
     * from it before any request of high priority has to wait.
     */
    private static final double RESERVE_SECONDS = 0.5;

    private static final long MILLIS_PER_MINUTE = 60_000;

    private final InstantSource utc;
    private final Bucket budget;

    /**
     * The speed limit of bursts. It holds a second's worth like every budget, so that a partition
     * with bursts is never allowed less than one without.
     */
    private final Bucket burstPace;

    private final MinuteBudget minute;
    private final HourlyPeaks peaks = new HourlyPeaks();
    private final Usage usage;
    private volatile BucketLimits buckets;
    private volatile Rules rules;

    /**
     * Budget and settings, worked out. Amounts are thousandths of a request unit.
     *
     * @param reserve what low priority leaves in the bucket
     * @param minuteAllowance 0 when there is no budget of the minute
     */
    private record Rules(
            double ruPerSecond,
            MeterSettings settings,
            boolean canBurst,
            long reserve,
            long burstReserve,
            long minuteAllowance) {
        static Rules of(double ruPerSecond, MeterSettings settings) {
            if (!(ruPerSecond > 0)) {
                throw new IllegalArgumentException("not a budget: " + ruPerSecond);
            }
            boolean hasMinute = settings.ruPerMinute() && ruPerSecond <= MINUTE_MAX_RU_PER_SECOND;
            return new Rules(
                    ruPerSecond,
                    settings,
                    settings.burst() && ruPerSecond < BURST_RU_PER_SECOND,
                    settings.priorities() ? MilliRu.of(ruPerSecond * RESERVE_SECONDS) : 0,
                    settings.priorities() ? MilliRu.of(BURST_RU_PER_SECOND * RESERVE_SECONDS) : 0,
                    hasMinute ? MilliRu.of(ruPerSecond * MINUTE_SECONDS) : 0);
        }

        double capacitySeconds() {
            return canBurst ? BURST_SECONDS : CAPACITY_SECONDS;
        }

        long reserve(RequestTerms terms) {
            return terms.isLow() ? reserve : 0;
        }

        long burstReserve(RequestTerms terms) {
            return terms.isLow() ? burstReserve : 0;
        }

        /** Low priority is to be refused when the second is used up: the minute is not for it. */
        boolean mayUseMinute(RequestTerms terms) {
            return minuteAllowance > 0
                    && terms.mayUseMinute()
                    && !(settings.priorities() && terms.isLow());
        }
    }

    /**
     * The balance that partitions hand on to those that replace them.
     *
     * @param ru negative for a debt
     * @param minuteUsedRu what is gone of the budget of this minute
     * @param bucketRu what is left of each bucket that has a limit, by its id
     */
    public record Balance(double ru, double minuteUsedRu, Map<Integer, Double> bucketRu) {
        public Balance {
            bucketRu = Map.copyOf(bucketRu);
        }

        public Balance share(double part) {
            Map<Integer, Double> shares = new HashMap<>();
            bucketRu.forEach((id, left) -> shares.put(id, left * part));
            return new Balance(ru * part, minuteUsedRu * part, shares);
        }

        public Balance plus(Balance other) {
            Map<Integer, Double> sums = new HashMap<>(bucketRu);
            other.bucketRu.forEach((id, left) -> sums.merge(id, left, Double::sum));
            return new Balance(ru + other.ru, minuteUsedRu + other.minuteUsedRu, sums);
        }
    }

    private Meter(
            double ruPerSecond,
            MeterSettings settings,
            Balance balance,
            long nowNanos,
            InstantSource utc) {
        this.utc = utc;
        this.rules = Rules.of(ruPerSecond, settings);
        this.budget = new Bucket(ruPerSecond, rules.capacitySeconds(), balance.ru, nowNanos);
        this.minute = MinuteBudget.with(MilliRu.of(balance.minuteUsedRu), utcMinute());
        this.burstPace =
                new Bucket(BURST_RU_PER_SECOND, CAPACITY_SECONDS, BURST_RU_PER_SECOND, nowNanos);
        this.buckets = BucketLimits.of(settings.buckets(), ruPerSecond, balance.bucketRu, nowNanos);
        this.usage = new Usage(nowNanos, this::secondEnded);
    }

    /** A new one, with one second's budget to begin with. */
    public static Meter of(
            double ruPerSecond, MeterSettings settings, long nowNanos, InstantSource utc) {
        return new Meter(
                ruPerSecond,
                settings,
                new Balance(ruPerSecond * CAPACITY_SECONDS, 0, Map.of()),
                nowNanos,
                utc);
    }

    /**
     * One that carries on with the balance of others: a child with its share of the parent's {@link
     * #balance}, a merged partition with the sum. A debt is inherited too, and what was used of the
     * minute stays used.
     */
    public static Meter withBalance(
            Balance balance,
            double ruPerSecond,
            MeterSettings settings,
            long nowNanos,
            InstantSource utc) {
        return new Meter(ruPerSecond, settings, balance, nowNanos, utc);
    }

    /**
     * Another budget or other rules from now on. The balance stays what it is in request units: a
     * debt is neither forgiven nor multiplied, and savings beyond the new capacity are lost.
     */
    public synchronized void change(double ruPerSecond, MeterSettings settings, long nowNanos) {
        Rules changed = Rules.of(ruPerSecond, settings);
        budget.change(ruPerSecond, changed.capacitySeconds(), nowNanos);
        buckets = buckets.changed(settings.buckets(), ruPerSecond, nowNanos);
        rules = changed;
    }

    /**
     * 0 when the request's bucket has something left or no limit, else after how many milliseconds
     * it has. A request that passes here is still to be admitted by {@link #admit}.
     */
    public long admitToBucket(RequestTerms terms, long nowNanos) {
        if (!rules.settings.throttling()) {
            return 0;
        }
        long millis = buckets.admit(terms, nowNanos);
        if (millis > 0) {
            usage.addRefused(nowNanos);
        }
        return millis;
    }

    /** 0 when the request is admitted, else after how many milliseconds it would be. */
    public long admit(RequestTerms terms, long nowNanos) {
        Rules current = rules;
        if (!current.settings.throttling()) {
            return 0;
        }
        boolean isInBudget = budget.holdsMoreThan(current.reserve(terms), nowNanos);
        boolean isInPace =
                !current.canBurst || burstPace.holdsMoreThan(current.burstReserve(terms), nowNanos);
        if (isInPace && (isInBudget || isInMinute(current, terms))) {
            return 0;
        }
        usage.addRefused(nowNanos);
        return millisUntilAdmitted(current, terms, nowNanos);
    }

    /**
     * Takes what an admitted request has cost, and counts it. Returns whether the budget of the
     * minute paid a part of it.
     */
    public boolean charge(double ru, RequestTerms terms, long nowNanos) {
        long milliRu = MilliRu.of(ru);
        usage.add(milliRu, nowNanos);
        Rules current = rules;
        if (!current.settings.throttling()) {
            return false;
        }
        buckets.charge(milliRu, terms, nowNanos);
        if (current.canBurst) {
            burstPace.charge(milliRu, nowNanos);
        }
        if (!current.mayUseMinute(terms)) {
            budget.charge(milliRu, nowNanos);
            return false;
        }
        long excess = milliRu - budget.chargeWhatIsThere(milliRu, nowNanos);
        long fromMinute =
                excess == 0 ? 0 : minute.take(excess, utcMinute(), current.minuteAllowance);
        if (excess > fromMinute) {
            budget.charge(excess - fromMinute, nowNanos);
        }
        return fromMinute > 0;
    }

    /** Takes what work of the partition's own has cost: it belongs to no bucket. */
    public void chargeUpkeep(double ru, long nowNanos) {
        long milliRu = MilliRu.of(ru);
        usage.add(milliRu, nowNanos);
        Rules current = rules;
        if (!current.settings.throttling()) {
            return;
        }
        if (current.canBurst) {
            burstPace.charge(milliRu, nowNanos);
        }
        budget.charge(milliRu, nowNanos);
    }

    public double ruPerSecond() {
        return rules.ruPerSecond;
    }

    public MeterSettings settings() {
        return rules.settings;
    }

    /** Negative while it is in debt. */
    public double balanceRu(long nowNanos) {
        return MilliRu.toRu(budget.balance(nowNanos));
    }

    public Balance balance(long nowNanos) {
        return new Balance(
                balanceRu(nowNanos),
                MilliRu.toRu(minute.used(utcMinute())),
                buckets.balances(nowNanos));
    }

    /** Returns the usage of all partitions that share the meter. */
    public Usage usage() {
        return usage;
    }

    /** The latest hours in which anything was used, oldest first. */
    public List<HourlyPeaks.Peak> hourlyPeaks(long nowNanos) {
        usage.advance(nowNanos);
        return peaks.list();
    }

    private boolean isInMinute(Rules current, RequestTerms terms) {
        return current.mayUseMinute(terms) && minute.left(utcMinute(), current.minuteAllowance) > 0;
    }

    private long millisUntilAdmitted(Rules current, RequestTerms terms, long nowNanos) {
        long millis = budget.millisUntilMoreThan(current.reserve(terms), nowNanos);
        if (current.mayUseMinute(terms)) {
            // Whichever comes first: the debt is paid, or there is a budget of the minute again.
            boolean isInMinute = isInMinute(current, terms);
            long untilMinute = MILLIS_PER_MINUTE - Math.floorMod(utc.millis(), MILLIS_PER_MINUTE);
            millis = Math.min(millis, isInMinute ? 0 : untilMinute);
        }
        if (current.canBurst) {
            long pace = burstPace.millisUntilMoreThan(current.burstReserve(terms), nowNanos);
            millis = Math.max(millis, pace);
        }
        return Math.max(1, millis);
    }

    private long utcMinute() {
        return Math.floorDiv(utc.millis(), MILLIS_PER_MINUTE);
    }

    private void secondEnded(long milliRu, long nanosAgo) {
        double fraction = Math.min(1, MilliRu.toRu(milliRu) / rules.ruPerSecond);
        peaks.add(utc.millis() - nanosAgo / 1_000_000, fraction);
    }
}
