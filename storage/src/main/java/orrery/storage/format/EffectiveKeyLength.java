package orrery.storage.format;

import java.util.OptionalInt;
import orrery.model.PartitionKeyDefinition;
import orrery.model.codec.MalformedRecordException;

/**
 * Finds where the effective key at the head of an item's key ends. Hashes of version 2 have a fixed
 * length; the older form and ranges end where their last component does.
 */
final class EffectiveKeyLength {
    private static final int HASH_BYTES = 16;
    private static final int NUMBER = 0x05;
    private static final int TEXT = 0x08;
    private static final int LONGEST_TEXT = 101;

    private EffectiveKeyLength() {}

    static int of(byte[] key, PartitionKeyDefinition definition) {
        int length = wanted(key, definition);
        if (length > key.length) {
            throw new MalformedRecordException("an item's key ends inside its effective key");
        }
        return length;
    }

    /** Empty where the bytes are no more than the beginning of an effective key. */
    static OptionalInt find(byte[] bytes, PartitionKeyDefinition definition) {
        int length = wanted(bytes, definition);
        return length > bytes.length ? OptionalInt.empty() : OptionalInt.of(length);
    }

    /** More than there are if the bytes end early. */
    private static int wanted(byte[] key, PartitionKeyDefinition definition) {
        int components = Math.max(1, definition.paths().size());
        return switch (definition.kind()) {
            case MULTI_HASH -> HASH_BYTES * components;
            case HASH -> definition.version() >= 2 ? HASH_BYTES : skip(key, 0, 1 + components);
            case RANGE -> skip(key, 0, components);
        };
    }

    private static int skip(byte[] key, int from, int components) {
        int at = from;
        for (int i = 0; i < components; i++) {
            at = skipOne(key, at);
        }
        return at;
    }

    private static int skipOne(byte[] key, int from) {
        int at = from + 1;
        switch (at(key, from)) {
            case NUMBER -> {
                at++;
                // Seven bits a byte; the lowest bit says that another follows.
                while ((at(key, at++) & 1) == 1) {}
            }
            case TEXT -> {
                int end = from + 1 + LONGEST_TEXT;
                while (at < end && at(key, at++) != 0) {}
            }
            default -> {}
        }
        return at;
    }

    /** A zero behind the end: it ends what is being skipped, behind the end. */
    private static int at(byte[] key, int index) {
        return index < key.length ? key[index] & 0xFF : 0;
    }
}
