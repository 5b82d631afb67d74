package orrery.server.client;

import java.util.List;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;
import picocli.CommandLine.ITypeConverter;

/** A partition key as people type it: a value, or an array of them for a hierarchical key. */
public record PartitionKeyText(List<Value> values) {
    public PartitionKeyText {
        values = List.copyOf(values);
    }

    /** The key for a request. Headers hold ASCII only. */
    String header() {
        StringBuilder ascii = new StringBuilder();
        for (char unit : JsonText.write(new Value.Array(values)).toCharArray()) {
            if (unit < 0x7F) {
                ascii.append(unit);
            } else {
                ascii.append(String.format("\\u%04x", (int) unit));
            }
        }
        return ascii.toString();
    }

    /** JSON, or a text where it is none. */
    static Value value(String text) {
        try {
            return JsonText.parse(text);
        } catch (OrreryException notJson) {
            return Value.of(text);
        }
    }

    /** Reads one from the command line. */
    static final class Converter implements ITypeConverter<PartitionKeyText> {
        @Override
        public PartitionKeyText convert(String text) {
            return value(text) instanceof Value.Array(List<Value> values)
                    ? new PartitionKeyText(values)
                    : new PartitionKeyText(List.of(value(text)));
        }
    }
}
