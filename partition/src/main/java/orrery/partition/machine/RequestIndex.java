package orrery.partition.machine;

import java.util.Arrays;
import orrery.model.RequestId;

/**
 * Request id to the place of its deduplication record, for the requests of the last minutes. Plain
 * arrays, because it holds an entry for every write of that time: 24 bytes each instead of objects.
 * One thread adds; any may look.
 *
 * <p>Two generations: when the younger has lasted a whole window, the older is dropped at once.
 */
final class RequestIndex {
    /** Log position and place within the entry, in one number. */
    static final long NOT_FOUND = -1;

    private static final int ORDINAL_BITS = 12;

    private static final int MIN_ENTRIES = 1024;

    /** Requests of one entry that can be told apart. */
    static final int MAX_PER_ENTRY = 1 << ORDINAL_BITS;

    private Generation young = new Generation(MIN_ENTRIES);
    private Generation old = new Generation(MIN_ENTRIES);
    private final long windowMillis;
    private long youngSinceMillis;

    static long position(long place) {
        return place >>> ORDINAL_BITS;
    }

    static int ordinal(long place) {
        return (int) place & ((1 << ORDINAL_BITS) - 1);
    }

    /**
     * @param windowMillis requests are found for this long at least
     */
    RequestIndex(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    synchronized void add(RequestId id, long position, int ordinal, long timeMillis) {
        if (timeMillis - youngSinceMillis >= windowMillis) {
            old = young;
            young = new Generation(old.capacityForAsMany());
            youngSinceMillis = timeMillis;
        }
        young.put(id.high(), id.low(), position << ORDINAL_BITS | ordinal);
    }

    /**
     * Returns the position where the request was answered, perhaps too long ago to count; the
     * caller checks.
     */
    synchronized long find(RequestId id) {
        long place = young.find(id.high(), id.low());
        return place != NOT_FOUND ? place : old.find(id.high(), id.low());
    }

    /** Open addressing; each entry takes three longs: both halves of the id, and the place. */
    private static final class Generation {
        private long[] cells;
        private int size;

        Generation(int entries) {
            cells = new long[3 * entries];
            Arrays.fill(cells, NOT_FOUND);
        }

        /** A steady load then never has to rehash, which would hold up the writes of a moment. */
        int capacityForAsMany() {
            int entries = cells.length / 3;
            while (entries > MIN_ENTRIES && size < entries / 4) {
                entries /= 2;
            }
            return entries;
        }

        void put(long high, long low, long place) {
            if (size * 4 >= cells.length) { // three quarters full, each entry being three cells
                grow();
            }
            int at = slot(cells, high, low);
            if (cells[at + 2] == NOT_FOUND) {
                size++;
            }
            cells[at] = high;
            cells[at + 1] = low;
            cells[at + 2] = place;
        }

        long find(long high, long low) {
            return cells[slot(cells, high, low) + 2];
        }

        private void grow() {
            long[] larger = new long[cells.length * 2];
            Arrays.fill(larger, NOT_FOUND);
            for (int at = 0; at < cells.length; at += 3) {
                if (cells[at + 2] != NOT_FOUND) {
                    System.arraycopy(cells, at, larger, slot(larger, cells[at], cells[at + 1]), 3);
                }
            }
            cells = larger;
        }

        private static int slot(long[] cells, long high, long low) {
            int count = cells.length / 3;
            long mixed = (high ^ low * 0x9E3779B97F4A7C15L) * 0xC2B2AE3D27D4EB4FL;
            int index = (int) Long.remainderUnsigned(mixed ^ mixed >>> 29, count);
            while (true) {
                int at = index * 3;
                if (cells[at + 2] == NOT_FOUND || (cells[at] == high && cells[at + 1] == low)) {
                    return at;
                }
                index = index + 1 == count ? 0 : index + 1;
            }
        }
    }
}
