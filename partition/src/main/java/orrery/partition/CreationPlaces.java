package orrery.partition;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.codec.BinaryWriter;
import orrery.model.memory.MemoryAccount;
import orrery.query.execute.ItemSource;
import orrery.storage.Cursor;
import orrery.storage.format.CreationRecord;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/** Finds items in the order of their creation. */
interface CreationPlaces extends AutoCloseable {
    /** The heap that a place takes besides what it refers to. */
    long PLACE_BYTES = 96;

    /**
     * An item.
     *
     * @param item present if it was read to find out its place
     */
    record Place(long docid, Bytes key, Optional<ItemRecord> item) {}

    /** The next item; empty behind the last. */
    Optional<Place> next();

    @Override
    void close();

    /** Places that are known. They count as memory of the request until they are closed. */
    static CreationPlaces of(List<Place> places) {
        Iterator<Place> rest = places.iterator();
        MemoryAccount.Part memory = MemoryAccount.current().part();
        memory.take(places.stream().mapToLong(CreationPlaces::heldBytes).sum());
        return new CreationPlaces() {
            @Override
            public Optional<Place> next() {
                return rest.hasNext() ? Optional.of(rest.next()) : Optional.empty();
            }

            @Override
            public void close() {
                memory.close();
            }
        };
    }

    private static long heldBytes(Place place) {
        return PLACE_BYTES
                + place.key().length()
                + place.item().map(item -> item.body().length()).orElse(0);
    }

    /** Those that docid entries lead to. */
    static CreationPlaces of(ItemSource.EntryCursor entries, Bytes term, long from) {
        return new CreationPlaces() {
            private boolean isStarted;

            @Override
            public Optional<Place> next() {
                boolean isThere = isStarted ? entries.next() : entries.seek(term, from);
                isStarted = true;
                return isThere
                        ? Optional.of(new Place(entries.docid(), entries.key(), Optional.empty()))
                        : Optional.empty();
            }

            @Override
            public void close() {
                entries.close();
            }
        };
    }

    /**
     * Those of a logical partition that has rows of its own for them.
     *
     * @param items what the keys of its items begin with, without their container
     */
    static CreationPlaces of(Cursor rows, Bytes items) {
        return new CreationPlaces() {
            @Override
            public Optional<Place> next() {
                if (!rows.next()) {
                    return Optional.empty();
                }
                Bytes rowKey = CreationRecord.decode(rows.value()).rowKey().bytes();
                return Optional.of(
                        new Place(
                                Keys.docidOf(rows.key()),
                                new BinaryWriter(items.length() + rowKey.length())
                                        .raw(items)
                                        .raw(rowKey)
                                        .toBytes(),
                                Optional.empty()));
            }

            @Override
            public void close() {
                rows.close();
            }
        };
    }
}
