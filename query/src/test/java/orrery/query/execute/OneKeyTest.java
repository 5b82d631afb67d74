package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.model.Bytes;
import orrery.model.IndexingPolicy;
import orrery.model.Item;

/** Checks that a query of one key costs what the key holds, however many items others have. */
class OneKeyTest {
    private static final int ITEMS = 5000;

    /** One of so many items is the key's. */
    private static final int SHARE = 50;

    private final MemoryItems all = new MemoryItems(IndexingPolicy.DEFAULT);
    private final OneKey key = new OneKey();

    OneKeyTest() {
        for (int i = 0; i < ITEMS; i++) {
            all.add("{\"id\":\"%d\",\"n\":%d,\"isOpen\":true}".formatted(i, i));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    WHERE c.isOpen = true                  | 100
                    WHERE c.isOpen = true AND c.n >= 1000  | 100
                    WHERE c.n = 50                         | 1
                    WHERE c.isOpen = true AND c.n = 50     | 1
                    WHERE c.n > 100 AND c.n < 210          | 2
                    """)
    void theEntriesOfOtherKeysAreNotWalkedOver(String filter, long documents) {
        QueryResult page =
                all.execution(
                                "SELECT VALUE c.id FROM c " + filter,
                                PageLimits.of(1000, 4 << 20),
                                key)
                        .run(Optional.empty(), Optional.empty(), QueryPart.WHOLE);
        assertThat(page.metrics().documents()).isEqualTo(documents);
        assertThat(key.steps).isLessThan(10 * ITEMS / SHARE);
    }

    /** The items of one key among those of others. */
    private final class OneKey implements ItemSource {
        private long steps;

        @Override
        public EntryCursor entries(Bytes from, Bytes to, boolean isBackward) {
            return new Entries(all.entries(from, to, isBackward), true);
        }

        @Override
        public EntryCursor walkedEntries(Bytes from, Bytes to) {
            return new Entries(all.entries(from, to, false), false);
        }

        @Override
        public boolean mayHold(Bytes itemKey) {
            return all.load(itemKey).docid() % SHARE == 1;
        }

        @Override
        public ItemCursor items(Bytes from, boolean isInclusive) {
            return new Own(all.items(from, isInclusive));
        }

        @Override
        public ItemCursor created(long docid, long wanted) {
            return new Own(all.created(docid, wanted));
        }

        @Override
        public ItemCursor at(List<Place> places, long wanted) {
            return all.at(places, wanted);
        }

        @Override
        public Item load(Bytes itemKey) {
            return all.load(itemKey);
        }

        @Override
        public OptionalLong size() {
            return OptionalLong.of(ITEMS / SHARE);
        }

        @Override
        public long total() {
            return all.total();
        }

        @Override
        public Bytes everyItem() {
            return all.everyItem();
        }

        /** Counts all entries that it goes over. */
        private final class Entries implements EntryCursor {
            private final EntryCursor of;
            private final boolean isClipped;

            Entries(EntryCursor of, boolean isClipped) {
                this.of = of;
                this.isClipped = isClipped;
            }

            @Override
            public boolean next() {
                steps++;
                return settled(of.next());
            }

            @Override
            public boolean seek(Bytes term, long docid) {
                steps++;
                return settled(of.seek(term, docid));
            }

            private boolean settled(boolean isAtEntry) {
                boolean isAt = isAtEntry;
                while (isAt && isClipped && !mayHold(of.key())) {
                    steps++;
                    isAt = of.next();
                }
                return isAt;
            }

            @Override
            public byte[] row() {
                return of.row();
            }

            @Override
            public int termStart() {
                return of.termStart();
            }

            @Override
            public int termEnd() {
                return of.termEnd();
            }

            @Override
            public long docid() {
                return of.docid();
            }

            @Override
            public Bytes key() {
                return of.key();
            }

            @Override
            public void close() {
                of.close();
            }
        }

        private final class Own implements ItemCursor {
            private final ItemCursor of;

            Own(ItemCursor of) {
                this.of = of;
            }

            @Override
            public boolean next() {
                boolean isAt = of.next();
                while (isAt && !mayHold(of.key())) {
                    isAt = of.next();
                }
                return isAt;
            }

            @Override
            public Bytes key() {
                return of.key();
            }

            @Override
            public Item item() {
                return of.item();
            }

            @Override
            public void close() {
                of.close();
            }
        }
    }
}
