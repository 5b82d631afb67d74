package orrery.query.execute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import orrery.query.evaluate.ValueHash;

/**
 * The results that DISTINCT has met, by hash, each with a number that tells when. What came late
 * can be forgotten again, so that a page may be made a second time. It is one flat table, because
 * it may hold millions. Not safe to share.
 */
public final class SeenHashes {
    private static final int FIRST_SLOTS = 64;
    private static final int BYTES_PER_SLOT = 2 * Long.BYTES + Integer.BYTES;
    private static final int FREE = -1;

    private long[] lows = new long[FIRST_SLOTS];
    private long[] highs = new long[FIRST_SLOTS];
    private int[] numbers = filled(FIRST_SLOTS);
    private int size;

    private static int[] filled(int slots) {
        int[] numbers = new int[slots];
        Arrays.fill(numbers, FREE);
        return numbers;
    }

    /**
     * Returns true if a hash was not there, and is now.
     *
     * @param number not negative
     */
    public boolean add(ValueHash hash, int number) {
        int slot = slot(hash.low(), hash.high());
        if (numbers[slot] != FREE) {
            return false;
        }
        put(slot, hash.low(), hash.high(), number);
        if (2 * ++size > numbers.length) {
            rebuild(2 * numbers.length, Integer.MAX_VALUE);
        }
        return true;
    }

    public boolean contains(ValueHash hash) {
        return numbers[slot(hash.low(), hash.high())] != FREE;
    }

    /** Returns all hashes, in no order. */
    public List<ValueHash> all() {
        List<ValueHash> all = new ArrayList<>(size);
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] != FREE) {
                all.add(new ValueHash(lows[i], highs[i]));
            }
        }
        return all;
    }

    public int size() {
        return size;
    }

    /** Returns the heap that the table takes. */
    public long sizeBytes() {
        return (long) BYTES_PER_SLOT * numbers.length;
    }

    /**
     * Returns the heap that it takes while another hash is added: twice as much and more where the
     * table grows.
     */
    public long nextSizeBytes() {
        return 2 * (size + 1L) > numbers.length ? 3 * sizeBytes() : sizeBytes();
    }

    /** Forgets the hashes that were added with this number or a higher one. */
    public void forgetFrom(int number) {
        rebuild(numbers.length, number);
    }

    private int slot(long low, long high) {
        int mask = numbers.length - 1;
        // The hash is a good one, so any of its bits will do.
        int slot = (int) low & mask;
        while (numbers[slot] != FREE && (lows[slot] != low || highs[slot] != high)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void put(int slot, long low, long high, int number) {
        lows[slot] = low;
        highs[slot] = high;
        numbers[slot] = number;
    }

    private void rebuild(int slots, int firstForgotten) {
        long[] oldLows = lows;
        long[] oldHighs = highs;
        int[] oldNumbers = numbers;
        lows = new long[slots];
        highs = new long[slots];
        numbers = filled(slots);
        size = 0;
        for (int i = 0; i < oldNumbers.length; i++) {
            if (oldNumbers[i] != FREE && oldNumbers[i] < firstForgotten) {
                put(slot(oldLows[i], oldHighs[i]), oldLows[i], oldHighs[i], oldNumbers[i]);
                size++;
            }
        }
    }
}
