package orrery.frontend.sql;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.frontend.rest.PageEnvelope;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.model.KeyComponent;
import orrery.model.PropertyPath;
import orrery.model.resource.Container;

/** Pages of changes as clients read them. */
final class ChangeJson {
    /** Room for the system properties and the metadata of one item. */
    private static final int SYSTEM_BYTES = 512;

    private final Container container;
    private final SystemProperties system;

    ChangeJson(Container container) {
        this.container = container;
        this.system = new SystemProperties(container.rid());
    }

    /**
     * @param hasMetadata each item beside what is known of its change, and not alone
     */
    Bytes latest(List<ChangedItem> changes, boolean hasMetadata) {
        return page(
                changes,
                ChangedItem::item,
                (out, change) -> {
                    if (hasMetadata) {
                        latest(out, change);
                    } else {
                        splice(out, change.item());
                    }
                });
    }

    private void latest(ByteSink out, ChangedItem change) {
        out.putAscii("{\"current\":");
        splice(out, change.item());
        out.putAscii(",\"metadata\":");
        openMetadata(
                out,
                change.item().lsn(),
                change.item().timestampSeconds(),
                name(change.operation()),
                change.previousLsn());
        out.putAscii("}}");
    }

    /**
     * A delete has nothing that is current, and shows what was there before; a replace does so
     * while that is kept.
     */
    Bytes all(List<ItemVersion> versions) {
        return page(versions, ItemVersion::item, this::version);
    }

    private void version(ByteSink out, ItemVersion version) {
        boolean isDelete = version.operation() == ItemVersion.Operation.DELETE;
        out.putAscii("{\"current\":");
        if (isDelete) {
            out.putAscii("{},\"previous\":");
        }
        splice(out, version.item());
        version.previous()
                .ifPresent(
                        previous -> {
                            out.putAscii(",\"previous\":");
                            splice(out, previous);
                        });
        out.putAscii(",\"metadata\":");
        metadata(out, version);
        out.put('}');
    }

    private void metadata(ByteSink out, ItemVersion version) {
        openMetadata(
                out,
                version.lsn(),
                version.timeMillis() / 1000,
                name(version.operation()),
                version.previousLsn());
        if (version.operation() == ItemVersion.Operation.DELETE) {
            out.putAscii(",\"timeToLiveExpired\":")
                    .putAscii(Boolean.toString(version.expired()))
                    .putAscii(",\"id\":");
            String id = ItemIds.text(container.definition().kind(), version.key().rowKey());
            JsonText.write(Value.of(id), out);
            out.putAscii(",\"partitionKey\":");
            partitionKey(out, version.key().partitionKey().components());
        }
        out.put('}');
    }

    /** The name of an operation as the SDKs expect it. */
    private static String name(ItemVersion.Operation operation) {
        return switch (operation) {
            case CREATE -> "create";
            case REPLACE -> "replace";
            case DELETE -> "delete";
        };
    }

    /** The values by their paths; what the item does not have is left out. */
    private void partitionKey(ByteSink out, List<KeyComponent> components) {
        List<PropertyPath> paths = container.definition().partitionKey().paths();
        Json.Builder json = Json.builder();
        for (int i = 0; i < Math.min(paths.size(), components.size()); i++) {
            String name = paths.get(i).toString().substring(1);
            switch (components.get(i)) {
                case KeyComponent.Undefined _ -> {}
                case KeyComponent.Null _ -> json.put(name, Value.Null.NULL);
                case KeyComponent.Bool(boolean value) -> json.put(name, value);
                case KeyComponent.Numeric(double value) -> json.put(name, Value.of(value));
                case KeyComponent.Text(String value) -> json.put(name, value);
            }
        }
        JsonText.write(json.build(), out);
    }

    private static void openMetadata(
            ByteSink out, long lsn, long seconds, String operation, long previousLsn) {
        out.putAscii("{\"lsn\":")
                .putAscii(Long.toString(lsn))
                .putAscii(",\"crts\":")
                .putAscii(Long.toString(seconds))
                .putAscii(",\"operationType\":\"")
                .putAscii(operation)
                .put('"');
        if (previousLsn != 0) {
            out.putAscii(",\"previousImageLSN\":").putAscii(Long.toString(previousLsn));
        }
    }

    private void splice(ByteSink out, Item item) {
        system.splice(out, item, OptionalLong.of(item.lsn()));
    }

    private <T> Bytes page(List<T> rows, Function<T, Item> item, BiConsumer<ByteSink, T> row) {
        return PageEnvelope.counted(container.rid().toString(), "Documents", rows.size())
                .around(rows, each -> item.apply(each).body().length() + SYSTEM_BYTES, row);
    }
}
