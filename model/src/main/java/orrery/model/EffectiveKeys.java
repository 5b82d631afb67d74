package orrery.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import orrery.model.PartitionKeyDefinition.Kind;

/**
 * Computes effective keys, byte for byte as the client SDKs do: a client that routes by its own
 * result must find the item where we put it.
 */
public final class EffectiveKeys {
    /** Bytes of one hash of the second version, and of each level of a hierarchical key. */
    static final int HASH_LENGTH = 16;

    /** Keeps every hash of the second version below {@link EffectiveKey#MAX}. */
    private static final int TOP_BYTE_MASK = 0x3F;

    /** In UTF-16 units, as the SDKs count; only the first hash version cuts. */
    private static final int MAX_TEXT_LENGTH_V1 = 100;

    private static final byte TEXT_END_V1 = 0x00;
    private static final byte TEXT_END_V2 = (byte) 0xFF;

    private static final byte[] UNDEFINED_INPUT = {OrderedEncoding.UNDEFINED};
    private static final byte[] NULL_INPUT = {OrderedEncoding.NULL};
    private static final byte[] FALSE_INPUT = {OrderedEncoding.FALSE};
    private static final byte[] TRUE_INPUT = {OrderedEncoding.TRUE};

    private static final VarHandle LITTLE_ENDIAN_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    // Items of a fixed container all have the empty key. Any one place will do for them; this is
    // where they stay if the container is migrated, because their key is then undefined.
    private static final List<KeyComponent> ABSENT = List.of(KeyComponent.UNDEFINED);
    private static final EffectiveKey FIXED_V1 = hashV1(ABSENT);
    private static final EffectiveKey FIXED_V2 = hashV2(ABSENT);
    private static final EffectiveKey FIXED_RANGE = ordered(ABSENT);

    private EffectiveKeys() {}

    /**
     * Returns the place of a key in the hash space. The key may be a prefix of a hierarchical key;
     * its place is then that of the lowest key below it.
     */
    public static EffectiveKey of(PartitionKeyDefinition definition, PartitionKey key) {
        List<KeyComponent> components = key.components();
        checkCount(definition, components.size());
        boolean fixed = definition.paths().isEmpty();
        return switch (definition.kind()) {
            case HASH -> {
                if (isFirstVersion(definition)) {
                    yield fixed ? FIXED_V1 : hashV1(components);
                }
                yield fixed ? FIXED_V2 : hashV2(components);
            }
            case MULTI_HASH -> fixed ? FIXED_V2 : multiHash(components);
            case RANGE -> fixed ? FIXED_RANGE : ordered(components);
        };
    }

    /** Returns the range of all keys that begin with this prefix of a hierarchical key. */
    public static KeyRange prefixRange(PartitionKeyDefinition definition, PartitionKey prefix) {
        EffectiveKey min = of(definition, prefix);
        byte[] bytes = min.bytes().unsafeArray();
        // FF stands above any hash that may follow, because the top bits of a hash are cleared.
        byte[] max = Arrays.copyOf(bytes, bytes.length + 1);
        max[bytes.length] = (byte) 0xFF;
        return new KeyRange(min, new EffectiveKey(Bytes.wrap(max)));
    }

    /**
     * Returns true if keys are hashed with 32 bits; a definition without a version also means this.
     */
    static boolean isFirstVersion(PartitionKeyDefinition definition) {
        return definition.kind() == Kind.HASH && definition.version() < 2;
    }

    private static void checkCount(PartitionKeyDefinition definition, int count) {
        int paths = definition.paths().size();
        if (count > paths) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "PartitionKey has more components than defined the collection resource.");
        }
        if (count < paths && !definition.isHierarchical()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "PartitionKey has fewer components than defined the collection resource.");
        }
    }

    /** The hash as an ordered number, then the components themselves. */
    private static EffectiveKey hashV1(List<KeyComponent> components) {
        byte[][] inputs = new byte[components.size()][];
        int capacity = OrderedEncoding.MAX_NUMBER_LENGTH;
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = inputV1(components.get(i));
            // Only of a number the ordered form may be longer than the input.
            capacity += Math.max(inputs[i].length, OrderedEncoding.MAX_NUMBER_LENGTH);
        }
        byte[] out = new byte[capacity];
        long hash = Integer.toUnsignedLong(Murmur3.hash32(join(inputs)));
        int at = OrderedEncoding.putNumber(out, 0, (double) hash);
        for (int i = 0; i < inputs.length; i++) {
            byte[] input = inputs[i];
            at =
                    switch (components.get(i)) {
                        case KeyComponent.Numeric(double value) ->
                                OrderedEncoding.putNumber(out, at, value);
                        // The input holds the text's UTF-8 between marker and terminator.
                        case KeyComponent.Text _ ->
                                OrderedEncoding.putText(out, at, input, 1, input.length - 1);
                        case KeyComponent.Undefined _, KeyComponent.Null _, KeyComponent.Bool _ ->
                                putMarker(out, at, input[0]);
                    };
        }
        return new EffectiveKey(Bytes.copyOf(out, 0, at));
    }

    /** One hash over all components; several of them occur only in containers of the old kind. */
    private static EffectiveKey hashV2(List<KeyComponent> components) {
        byte[] input;
        if (components.size() == 1) {
            input = inputV2(components.getFirst());
        } else {
            byte[][] inputs = new byte[components.size()][];
            for (int i = 0; i < inputs.length; i++) {
                inputs[i] = inputV2(components.get(i));
            }
            input = join(inputs);
        }
        byte[] hash = new byte[HASH_LENGTH];
        putHash(input, hash, 0);
        return new EffectiveKey(Bytes.wrap(hash));
    }

    /** One hash per component, so that keys with a common prefix lie together. */
    private static EffectiveKey multiHash(List<KeyComponent> components) {
        byte[] hashes = new byte[HASH_LENGTH * components.size()];
        for (int i = 0; i < components.size(); i++) {
            putHash(inputV2(components.get(i)), hashes, HASH_LENGTH * i);
        }
        return new EffectiveKey(Bytes.wrap(hashes));
    }

    private static EffectiveKey ordered(List<KeyComponent> components) {
        byte[] out = new byte[OrderedEncoding.MAX_TEXT_LENGTH * components.size()];
        int at = 0;
        for (KeyComponent component : components) {
            at =
                    switch (component) {
                        case KeyComponent.Undefined _ ->
                                putMarker(out, at, OrderedEncoding.UNDEFINED);
                        case KeyComponent.Null _ -> putMarker(out, at, OrderedEncoding.NULL);
                        case KeyComponent.Bool(boolean value) ->
                                putMarker(
                                        out,
                                        at,
                                        value ? OrderedEncoding.TRUE : OrderedEncoding.FALSE);
                        case KeyComponent.Numeric(double value) ->
                                OrderedEncoding.putNumber(out, at, value);
                        case KeyComponent.Text(String value) -> {
                            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
                            yield OrderedEncoding.putText(out, at, utf8, 0, utf8.length);
                        }
                    };
        }
        return new EffectiveKey(Bytes.copyOf(out, 0, at));
    }

    private static int putMarker(byte[] out, int at, byte marker) {
        out[at] = marker;
        return at + 1;
    }

    private static void putHash(byte[] input, byte[] out, int at) {
        Murmur3.hash128Reversed(input, out, at);
        out[at] &= TOP_BYTE_MASK;
    }

    /**
     * Returns the bytes of a component that the first version hashes. They may be shared constants:
     * do not write.
     */
    static byte[] inputV1(KeyComponent component) {
        if (component instanceof KeyComponent.Text(String value)
                && value.length() > MAX_TEXT_LENGTH_V1) {
            return textInput(value.substring(0, MAX_TEXT_LENGTH_V1), TEXT_END_V1);
        }
        return input(component, TEXT_END_V1);
    }

    /**
     * Returns the bytes of a component that the second version hashes. They may be shared
     * constants: do not write.
     */
    static byte[] inputV2(KeyComponent component) {
        return input(component, TEXT_END_V2);
    }

    private static byte[] input(KeyComponent component, byte textEnd) {
        return switch (component) {
            case KeyComponent.Undefined _ -> UNDEFINED_INPUT;
            case KeyComponent.Null _ -> NULL_INPUT;
            case KeyComponent.Bool(boolean value) -> value ? TRUE_INPUT : FALSE_INPUT;
            case KeyComponent.Numeric(double value) -> numberInput(value);
            case KeyComponent.Text(String value) -> textInput(value, textEnd);
        };
    }

    private static byte[] numberInput(double value) {
        byte[] input = new byte[1 + Double.BYTES];
        input[0] = OrderedEncoding.NUMBER;
        LITTLE_ENDIAN_LONG.set(input, 1, Double.doubleToRawLongBits(value));
        return input;
    }

    private static byte[] textInput(String text, byte end) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        byte[] input = new byte[utf8.length + 2];
        input[0] = OrderedEncoding.TEXT;
        System.arraycopy(utf8, 0, input, 1, utf8.length);
        input[utf8.length + 1] = end;
        return input;
    }

    private static byte[] join(byte[][] parts) {
        if (parts.length == 1) {
            return parts[0];
        }
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] joined = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, joined, at, part.length);
            at += part.length;
        }
        return joined;
    }
}
