package orrery.partition.machine;

import orrery.document.IndexTerms;
import orrery.model.Bytes;
import orrery.storage.StoreBatch;
import orrery.storage.Table;
import orrery.storage.format.IndexEntry;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/** Puts and deletes the index entries of one item, and knows what they weigh. */
final class IndexRows {
    /** Container, segment and docid around the term. */
    private static final int KEY_OVERHEAD = 16;

    private IndexRows() {}

    /**
     * @param entry the value of every row
     */
    static void put(
            StoreBatch batch,
            int container,
            int segment,
            IndexTerms terms,
            long docid,
            byte[] entry) {
        for (int i = 0; i < terms.size(); i++) {
            batch.put(
                    Table.INDEX, Keys.index(container, segment, terms.unsafeTerm(i), docid), entry);
        }
    }

    static void delete(StoreBatch batch, int container, int segment, IndexTerms terms, long docid) {
        for (int i = 0; i < terms.size(); i++) {
            batch.delete(Table.INDEX, Keys.index(container, segment, terms.unsafeTerm(i), docid));
        }
    }

    /** All entries of an item: of its terms, its docid and its expiry. */
    static void putAll(
            EntryOverlay overlay, int container, ItemRecord item, Indexed indexed, Bytes suffix) {
        byte[] entry = IndexEntry.encode(suffix);
        put(overlay.batch(), container, item.segment(), indexed.terms(), item.docid(), entry);
        putExpiry(overlay.batch(), container, item, entry);
        boolean isPlain = indexed.derived().isEmpty();
        putDocid(
                overlay,
                container,
                item,
                indexed,
                isPlain ? entry : docidEntry(item, indexed, suffix));
    }

    static void putDocid(
            EntryOverlay overlay, int container, ItemRecord item, Indexed indexed, Bytes suffix) {
        putDocid(overlay, container, item, indexed, docidEntry(item, indexed, suffix));
    }

    private static byte[] docidEntry(ItemRecord item, Indexed indexed, Bytes suffix) {
        return IndexEntry.encode(suffix, item.policyVersion(), indexed.derived());
    }

    private static void putDocid(
            EntryOverlay overlay, int container, ItemRecord item, Indexed indexed, byte[] entry) {
        byte[] key = Keys.docid(container, item.segment(), item.docid());
        overlay.batch().put(Table.INDEX, key, entry);
        if (indexed.needsDerived()) {
            overlay.putDerived(Bytes.wrap(key), indexed.derived());
        }
    }

    static void deleteAll(StoreBatch batch, int container, ItemRecord item, IndexTerms terms) {
        delete(batch, container, item.segment(), terms, item.docid());
        deleteExpiry(batch, container, item);
        batch.delete(Table.INDEX, Keys.docid(container, item.segment(), item.docid()));
    }

    static void putExpiry(StoreBatch batch, int container, ItemRecord item, byte[] entry) {
        if (item.endsByItself()) {
            batch.put(Table.INDEX, expiry(container, item), entry);
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
    static long bytes(ItemRecord item, Indexed indexed, Bytes suffix) {
        int entry = IndexEntry.length(suffix);
        long total = KEY_OVERHEAD + 1L + IndexEntry.length(suffix, indexed.derived());
        if (item.endsByItself()) {
            total += KEY_OVERHEAD + 9L + entry;
        }
        IndexTerms terms = indexed.terms();
        for (int i = 0; i < terms.size(); i++) {
            total += (long) KEY_OVERHEAD + terms.unsafeTerm(i).length + entry;
        }
        return total;
    }
}
