package orrery.partition.machine;

import orrery.document.IndexTerms;
import orrery.model.Bytes;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/** Puts and deletes the index entries of one item, and knows what they weigh. */
final class IndexRows {
    /** Container, segment and docid around the term. */
    private static final int KEY_OVERHEAD = 16;

    private IndexRows() {}

    static void put(
            StoreBatch batch,
            int container,
            int segment,
            IndexTerms terms,
            long docid,
            Bytes item) {
        for (int i = 0; i < terms.size(); i++) {
            batch.put(
                    Table.INDEX,
                    Keys.index(container, segment, terms.unsafeTerm(i), docid),
                    item.unsafeArray());
        }
    }

    static void delete(StoreBatch batch, int container, int segment, IndexTerms terms, long docid) {
        for (int i = 0; i < terms.size(); i++) {
            batch.delete(Table.INDEX, Keys.index(container, segment, terms.unsafeTerm(i), docid));
        }
    }

    /** All entries of an item: of its terms, its docid and its expiry. */
    static void putAll(
            StoreBatch batch, int container, ItemRecord item, IndexTerms terms, Bytes suffix) {
        put(batch, container, item.segment(), terms, item.docid(), suffix);
        putExpiry(batch, container, item, suffix);
        batch.put(
                Table.INDEX,
                Keys.docid(container, item.segment(), item.docid()),
                suffix.unsafeArray());
    }

    static void deleteAll(StoreBatch batch, int container, ItemRecord item, IndexTerms terms) {
        delete(batch, container, item.segment(), terms, item.docid());
        deleteExpiry(batch, container, item);
        batch.delete(Table.INDEX, Keys.docid(container, item.segment(), item.docid()));
    }

    static void putExpiry(StoreBatch batch, int container, ItemRecord item, Bytes suffix) {
        if (item.endsByItself()) {
            batch.put(Table.INDEX, expiry(container, item), suffix.unsafeArray());
        }
    }

    static void deleteExpiry(StoreBatch batch, int container, ItemRecord item) {
        if (item.endsByItself()) {
            batch.delete(Table.INDEX, expiry(container, item));
        }
    }

    private static byte[] expiry(int container, ItemRecord item) {
        return Keys.expiry(container, item.segment(), item.expiryMillis(), item.docid());
    }

    /** Bytes of the entries of an item: of its terms, its docid and its expiry. */
    static long bytes(ItemRecord item, IndexTerms terms, Bytes suffix) {
        long total = KEY_OVERHEAD + 1L + suffix.length();
        if (item.endsByItself()) {
            total += KEY_OVERHEAD + 9L + suffix.length();
        }
        for (int i = 0; i < terms.size(); i++) {
            total += (long) KEY_OVERHEAD + terms.unsafeTerm(i).length + suffix.length();
        }
        return total;
    }
}
