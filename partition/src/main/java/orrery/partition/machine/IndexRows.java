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

    /** All entries of an item, the one that leads from its docid included. */
    static void putAll(
            StoreBatch batch, int container, ItemRecord item, IndexTerms terms, Bytes suffix) {
        put(batch, container, item.segment(), terms, item.docid(), suffix);
        batch.put(
                Table.INDEX,
                Keys.docid(container, item.segment(), item.docid()),
                suffix.unsafeArray());
    }

    static void deleteAll(StoreBatch batch, int container, ItemRecord item, IndexTerms terms) {
        delete(batch, container, item.segment(), terms, item.docid());
        batch.delete(Table.INDEX, Keys.docid(container, item.segment(), item.docid()));
    }

    /** Bytes of the entries of an item, the one that leads from its docid included. */
    static long bytes(IndexTerms terms, Bytes item) {
        long total = KEY_OVERHEAD + 1L + item.length();
        for (int i = 0; i < terms.size(); i++) {
            total += (long) KEY_OVERHEAD + terms.unsafeTerm(i).length + item.length();
        }
        return total;
    }
}
