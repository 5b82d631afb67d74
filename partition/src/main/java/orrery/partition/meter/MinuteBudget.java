package orrery.partition.meter;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The use of the budget of the current UTC minute. The budget is there in full when the minute
 * starts, and its rest is lost when the minute ends.
 */
final class MinuteBudget {
    // The minute above the amount: one word, so that a new minute and its first use are one step.
    // 36 bits are 68 million RU, and leave enough for minutes until the year 2480.
    private static final int AMOUNT_BITS = 36;
    private static final long AMOUNT_MASK = (1L << AMOUNT_BITS) - 1;

    private final AtomicLong state = new AtomicLong();

    /** One of which so much is used already, as its predecessors used theirs. */
    static MinuteBudget with(long usedMilliRu, long minute) {
        MinuteBudget budget = new MinuteBudget();
        budget.state.set(minute << AMOUNT_BITS | Math.min(AMOUNT_MASK, usedMilliRu));
        return budget;
    }

    long used(long minute) {
        return used(state.get(), minute);
    }

    /** In thousandths of a request unit. */
    long left(long minute, long allowance) {
        return Math.max(0, allowance - used(state.get(), minute));
    }

    /** Takes no more than is left, and returns how much that was. */
    long take(long milliRu, long minute, long allowance) {
        while (true) {
            long before = state.get();
            long used = used(before, minute);
            long taken = Math.clamp(allowance - used, 0, milliRu);
            if (taken == 0) {
                return 0;
            }
            long stays = isOver(before, minute) ? minute : before >>> AMOUNT_BITS;
            if (state.compareAndSet(before, stays << AMOUNT_BITS | (used + taken))) {
                return taken;
            }
        }
    }

    private static long used(long state, long minute) {
        return isOver(state, minute) ? 0 : state & AMOUNT_MASK;
    }

    /**
     * A thread that looked at the clock just before the others is one minute behind, and must not
     * give them a second budget. More than that means that the clock was set back.
     */
    private static boolean isOver(long state, long minute) {
        long stored = state >>> AMOUNT_BITS;
        return minute > stored || minute < stored - 1;
    }
}
