package orrery.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** MurmurHash3 with seed 0, in the two variants that the client SDKs place partition keys with. */
final class Murmur3 {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BIG_ENDIAN_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Murmur3() {}

    /** The 32-bit variant (x86_32); the caller reads the result as unsigned. */
    static int hash32(byte[] data) {
        int hash = 0;
        int at = 0;
        for (; at + 4 <= data.length; at += 4) {
            hash ^= mix32((int) INT.get(data, at));
            hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
        }
        int tail = 0;
        for (int i = data.length - 1; i >= at; i--) {
            tail = tail << 8 | (data[i] & 0xFF);
        }
        hash ^= mix32(tail); // an empty tail is 0, and 0 mixes to 0
        return finish32(hash ^ data.length);
    }

    /**
     * The 128-bit variant (x64_128), written as 16 bytes from {@code at}: the canonical output
     * reversed end to end, which is the order effective keys are made of.
     */
    static void hash128Reversed(byte[] data, byte[] out, int at) {
        long h1 = 0;
        long h2 = 0;
        int block = 0;
        for (; block + 16 <= data.length; block += 16) {
            h1 ^= mixFirst((long) LONG.get(data, block));
            h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
            h2 ^= mixSecond((long) LONG.get(data, block + 8));
            h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
        }
        h1 ^= mixFirst(tail64(data, block));
        h2 ^= mixSecond(tail64(data, block + 8));

        h1 ^= data.length;
        h2 ^= data.length;
        h1 += h2;
        h2 += h1;
        h1 = finish64(h1);
        h2 = finish64(h2);
        h1 += h2;
        h2 += h1;
        BIG_ENDIAN_LONG.set(out, at, h2);
        BIG_ENDIAN_LONG.set(out, at + 8, h1);
    }

    /** Up to eight bytes from {@code from} to the end as a little-endian number; 0 if none. */
    private static long tail64(byte[] data, int from) {
        long tail = 0;
        for (int i = Math.min(data.length, from + 8) - 1; i >= from; i--) {
            tail = tail << 8 | (data[i] & 0xFF);
        }
        return tail;
    }

    private static int mix32(int block) {
        return Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
    }

    private static long mixFirst(long block) {
        return Long.rotateLeft(block * 0x87c37b91114253d5L, 31) * 0x4cf5ad432745937fL;
    }

    private static long mixSecond(long block) {
        return Long.rotateLeft(block * 0x4cf5ad432745937fL, 33) * 0x87c37b91114253d5L;
    }

    private static int finish32(int value) {
        int hash = value;
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    private static long finish64(long value) {
        long hash = value;
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }
}
