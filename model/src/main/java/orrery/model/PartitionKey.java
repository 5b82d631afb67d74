package orrery.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The value that names a logical partition: one component per path of the key definition, or fewer
 * where a prefix of a hierarchical key is meant. Empty for a container without a partition key.
 */
public record PartitionKey(List<KeyComponent> components) {
    public static final PartitionKey EMPTY = new PartitionKey(List.of());

    // Tags of the stored form. The same numbers head the index values (document module), where the
    // gaps between them hold the other BSON types.
    private static final int END = 0x00;
    private static final int UNDEFINED = 0x08;
    private static final int NULL = 0x0C;
    private static final int FALSE = 0x10;
    private static final int TRUE = 0x14;
    private static final int NUMBER = 0x18;
    private static final int TEXT = 0x1C;

    public PartitionKey {
        components = List.copyOf(components);
    }

    public static PartitionKey of(KeyComponent... components) {
        return new PartitionKey(List.of(components));
    }

    public static PartitionKey ofText(String value) {
        return of(new KeyComponent.Text(value));
    }

    /**
     * Appends the self-delimiting stored form: each component behind its tag, then a zero byte. It
     * is part of item keys, so two different keys never have equal bytes.
     */
    public void write(BinaryWriter out) {
        for (KeyComponent component : components) {
            switch (component) {
                case KeyComponent.Undefined _ -> out.u8(UNDEFINED);
                case KeyComponent.Null _ -> out.u8(NULL);
                case KeyComponent.Bool(boolean value) -> out.u8(value ? TRUE : FALSE);
                case KeyComponent.Numeric(double value) ->
                        out.u8(NUMBER).u64(Double.doubleToLongBits(value));
                case KeyComponent.Text(String value) -> out.u8(TEXT).string(value);
            }
        }
        out.u8(END);
    }

    public static PartitionKey read(BinaryReader in) {
        List<KeyComponent> components = new ArrayList<>(1);
        while (true) {
            int tag = in.u8();
            if (tag == END) {
                return new PartitionKey(components);
            }
            components.add(
                    switch (tag) {
                        case UNDEFINED -> KeyComponent.UNDEFINED;
                        case NULL -> KeyComponent.NULL;
                        case FALSE -> KeyComponent.FALSE;
                        case TRUE -> KeyComponent.TRUE;
                        case NUMBER -> number(Double.longBitsToDouble(in.u64()));
                        case TEXT -> new KeyComponent.Text(in.string());
                        default -> throw new MalformedRecordException("unknown partition key tag");
                    });
        }
    }

    private static KeyComponent number(double value) {
        if (!Double.isFinite(value)) {
            throw new MalformedRecordException("partition key number is not finite");
        }
        return new KeyComponent.Numeric(value);
    }

    /**
     * Size of the value as the service counts it against its limit: the UTF-8 bytes of its texts.
     */
    public int textBytes() {
        int total = 0;
        for (KeyComponent component : components) {
            if (component instanceof KeyComponent.Text(String value)) {
                total += value.getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return total;
    }

    /** The most bytes that {@link #write} appends, found without encoding the text. */
    int maxEncodedBytes() {
        int total = 1;
        for (KeyComponent component : components) {
            total +=
                    component instanceof KeyComponent.Text(String value)
                            ? 6 + 3 * value.length()
                            : 9;
        }
        return total;
    }

    /** Writes the key in the form that people use in requests, for logs. */
    @Override
    public String toString() {
        return components.stream()
                .map(
                        component ->
                                switch (component) {
                                    case KeyComponent.Undefined _ -> "{}";
                                    case KeyComponent.Null _ -> "null";
                                    case KeyComponent.Bool(boolean value) ->
                                            value ? "true" : "false";
                                    case KeyComponent.Numeric(double value) ->
                                            Double.toString(value);
                                    case KeyComponent.Text(String value) -> '"' + value + '"';
                                })
                .collect(Collectors.joining(",", "[", "]"));
    }
}
