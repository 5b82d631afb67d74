package orrery.frontend.table;

import java.util.Optional;
import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.document.edm.EdmValue;
import orrery.document.edm.StoredNames;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.PartitionKey;
import orrery.query.table.TableDefinition;

/**
 * Entities as items hold them: the row key as {@code id} and {@code $id}, the partition key as
 * {@code $pk}, and each property as a type and a value.
 */
public final class EntityDocument {
    /** A guess at the bytes of a property and its name, but for those of a text. */
    private static final int PROPERTY_BYTES = 64;

    private EntityDocument() {}

    public static Body write(Entity entity) {
        ByteSink out = new ByteSink(bytes(entity));
        Value rowKey = Value.of(entity.rowKey());
        out.put('{');
        member(out, StoredNames.ID, rowKey);
        out.put(',');
        member(out, StoredNames.STORED_ROW_KEY, rowKey);
        out.put(',');
        member(out, StoredNames.STORED_PARTITION_KEY, Value.of(entity.partitionKey()));
        entity.properties()
                .forEach(
                        (name, value) -> {
                            out.put(',');
                            JsonText.write(Value.of(StoredNames.stored(name)), out);
                            value.writeStored(out.put(':'));
                        });
        return new Body(
                Encoding.JSON,
                out.put('}').toBytes(),
                Optional.of(
                        new Body.Known.Json(
                                entity.rowKey(),
                                TableDefinition.PARTITION_KEY,
                                PartitionKey.ofText(entity.partitionKey()))));
    }

    /** About the bytes of an entity: what has to grow is copied. */
    private static int bytes(Entity entity) {
        int bytes = 2 * PROPERTY_BYTES + entity.partitionKey().length();
        bytes += 2 * entity.rowKey().length();
        for (EdmValue value : entity.properties().values()) {
            bytes +=
                    PROPERTY_BYTES
                            + switch (value) {
                                case EdmValue.Text(String text) -> text.length();
                                case EdmValue.Binary(Bytes content) -> content.length();
                                default -> 0;
                            };
        }
        return bytes;
    }

    private static void member(ByteSink out, String name, Value value) {
        JsonText.write(Value.of(name), out);
        out.put(':');
        JsonText.write(value, out);
    }

    /**
     * The value as the API shows it. Another API may have written a value without a type; it gets
     * the one that comes next to it, and what has no type here is shown as JSON text.
     */
    static Optional<EdmValue> shown(Value value) {
        Optional<EdmValue> typed = EdmValue.ofStored(value);
        return typed.isPresent() ? typed : untyped(value);
    }

    private static Optional<EdmValue> untyped(Value value) {
        return switch (value) {
            case Value.Null _, Value.Undefined _ -> Optional.empty();
            case Value.Bool(boolean bool) -> Optional.of(new EdmValue.Bool(bool));
            case Value.Text(String text) -> Optional.of(new EdmValue.Text(text));
            case Value.Real(double number) -> Optional.of(new EdmValue.Real(number));
            case Value.Int(long number) when number == (int) number ->
                    Optional.of(new EdmValue.Int32((int) number));
            case Value.Int(long number) -> Optional.of(new EdmValue.Int64(number));
            default -> Optional.of(new EdmValue.Text(JsonText.write(value)));
        };
    }
}
