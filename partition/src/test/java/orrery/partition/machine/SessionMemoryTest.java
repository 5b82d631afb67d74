package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.NOW;
import static orrery.partition.machine.MachineFixture.NO_LIMIT;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;
import static orrery.partition.machine.MachineFixture.newItem;
import static orrery.partition.machine.MachineFixture.remove;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.Statement;
import orrery.storage.Cursor;
import orrery.storage.Table;
import orrery.storage.format.DataSize;
import orrery.storage.format.Keys;

/** Statements of sessions in apply: each is carried out once, for half an hour. */
final class SessionMemoryTest {
    private static final Bytes SESSION = Bytes.ofHex("0102030405060708090A0B0C0D0E0F10");
    private static final Outcome DONE_BEFORE = new Outcome.Rejected(ErrorCode.STATEMENT_DONE, 0, 0);
    private static final Outcome TOO_OLD =
            new Outcome.Rejected(ErrorCode.TRANSACTION_TOO_OLD, 0, 0);
    private static final long HALF_AN_HOUR = 30 * 60_000;
    private static final ItemKey NORTH = key("north", "i");

    private MachineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new MachineFixture(directory);
        fixture.apply(new Command.RaiseLevel(PartitionMachine.NEWEST_LEVEL));
        fixture.open(IndexingPolicy.DEFAULT, NO_LIMIT);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Statement statement(long transaction, int number) {
        return Statement.of(SESSION, transaction, number);
    }

    private Command write(
            PartitionId partition,
            long stampMillis,
            Statement statement,
            Command.ItemChange... changes) {
        return new Command.WriteItems(
                partition,
                fixture.newRequest(),
                stampMillis,
                List.of(changes),
                OptionalLong.empty(),
                Bytes.EMPTY,
                Optional.of(new Command.Stated(statement, true, true)));
    }

    private Outcome write(Statement statement, Command.ItemChange... changes) {
        return fixture.one(write(PARTITION, NOW, statement, changes));
    }

    private Outcome writeAt(long stampMillis, Statement statement, Command.ItemChange... changes) {
        return fixture.one(write(PARTITION, stampMillis, statement, changes));
    }

    private static Command.ItemChange put(ItemKey key, int number) {
        return MachineFixture.put(
                Command.Expect.ANY,
                Precondition.NONE,
                key,
                "{\"id\":\"" + key.rowKey() + "\",\"n\":" + number + "}");
    }

    private String stored(ItemKey key) {
        return fixture.item(key).orElseThrow().body().toUtf8();
    }

    private List<Bytes> rows(byte[] prefix) {
        List<Bytes> rows = new ArrayList<>();
        try (Cursor cursor = fixture.store().scan(Table.META, prefix, Keys.after(prefix))) {
            while (cursor.next()) {
                rows.add(Bytes.wrap(cursor.key()));
            }
        }
        return rows;
    }

    private SessionRecord record(EffectiveKey epk, Statement statement) {
        SessionMemory memory =
                SessionMemory.of(fixture.store(), PARTITION.container(), epk, statement.session());
        return ((SessionMemory.Known.Done) memory.find(statement, NOW)).record();
    }

    @Test
    void aStatementIsCarriedOutOnce() {
        assertThat(write(statement(5, 0), put(NORTH, 1))).isInstanceOf(Outcome.Written.class);

        assertThat(write(statement(5, 0), put(NORTH, 2))).isEqualTo(DONE_BEFORE);
        fixture.restart();
        assertThat(write(statement(5, 0), put(NORTH, 3))).isEqualTo(DONE_BEFORE);
        assertThat(stored(NORTH)).contains("\"n\":1");
    }

    @Test
    void ofTwoInOneEntryOneIsCarriedOut() {
        List<Outcome> outcomes =
                fixture.apply(
                        write(PARTITION, NOW, statement(5, 0), put(NORTH, 1)),
                        write(PARTITION, NOW, statement(5, 0), put(NORTH, 2)));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Written.class);
        assertThat(outcomes.get(1)).isEqualTo(DONE_BEFORE);
        assertThat(stored(NORTH)).contains("\"n\":1");
    }

    @Test
    void whatWasRefusedMayBeCarriedOutLater() {
        assertThat(write(statement(5, 0), remove(NORTH)))
                .isEqualTo(new Outcome.Rejected(ErrorCode.NOT_FOUND, 0, 0));

        assertThat(write(statement(5, 0), put(NORTH, 1))).isInstanceOf(Outcome.Written.class);
    }

    @Test
    void aSessionThatHasGoneOnDoesNotGoBack() {
        write(statement(5, 0), put(NORTH, 1));
        write(statement(6, 0), put(NORTH, 2));

        assertThat(write(statement(5, 0), put(NORTH, 3))).isEqualTo(TOO_OLD);
        assertThat(write(statement(4, 7), put(NORTH, 3))).isEqualTo(TOO_OLD);
        // Under another key it has not been heard of.
        assertThat(write(statement(5, 0), put(key("south", "i"), 3)))
                .isInstanceOf(Outcome.Written.class);
    }

    @Test
    void aSessionThatWritesUnderOneKeyHasOneRow() {
        for (int i = 0; i < 20; i++) {
            write(statement(i, 0), put(NORTH, i));
        }

        assertThat(rows(Keys.allSessions()))
                .containsExactly(
                        Bytes.wrap(Keys.session(PARTITION.container(), NORTH.epk(), SESSION)));
    }

    @Test
    void eachStatementOfATransactionIsKnown() {
        ItemKey other = key("north", "j");
        write(statement(5, 0), put(NORTH, 1));
        write(statement(5, 1), put(other, 1));
        write(statement(5, 3), put(NORTH, 3));

        assertThat(write(statement(5, 0), put(NORTH, 9))).isEqualTo(DONE_BEFORE);
        assertThat(write(statement(5, 1), put(NORTH, 9))).isEqualTo(DONE_BEFORE);
        assertThat(write(statement(5, 3), put(NORTH, 9))).isEqualTo(DONE_BEFORE);
        assertThat(write(statement(5, 2), put(NORTH, 2))).isInstanceOf(Outcome.Written.class);
    }

    @Test
    void aBatchIsKnownByEachOfItsStatements() {
        Statement both = new Statement(SESSION, 5, 7, 2, false);
        write(both, newItem(NORTH, "{\"id\":\"i\"}"), newItem(key("north", "j"), "{\"id\":\"j\"}"));

        for (int number : new int[] {7, 8}) {
            assertThat(write(statement(5, number), put(NORTH, 9))).isEqualTo(DONE_BEFORE);
        }
        assertThat(write(new Statement(SESSION, 5, 8, 5, false), put(NORTH, 9)))
                .isEqualTo(DONE_BEFORE);
        assertThat(write(statement(5, 6), put(NORTH, 6))).isInstanceOf(Outcome.Written.class);
        assertThat(write(statement(5, 9), put(NORTH, 9))).isInstanceOf(Outcome.Written.class);
    }

    @Test
    void theImagesAreKeptWithTheOutcome() {
        write(statement(5, 0), put(NORTH, 1));
        Outcome replaced = write(statement(6, 0), put(NORTH, 2));

        SessionRecord record = record(NORTH.epk(), statement(6, 0));

        assertThat(record.outcome()).isEqualTo(replaced);
        assertThat(record.before().orElseThrow().body().toUtf8()).contains("\"n\":1");
        assertThat(record.after().orElseThrow().toUtf8()).contains("\"n\":2");
        write(statement(7, 0), remove(NORTH));
        SessionRecord removed = record(NORTH.epk(), statement(7, 0));
        assertThat(removed.before().orElseThrow().body().toUtf8()).contains("\"n\":2");
        assertThat(removed.after()).isEmpty();
    }

    @Test
    void aStatementCountsForHalfAnHour() {
        write(statement(5, 0), put(NORTH, 1));

        assertThat(writeAt(NOW + HALF_AN_HOUR - 1, statement(5, 0), put(NORTH, 2)))
                .isEqualTo(DONE_BEFORE);
        assertThat(writeAt(NOW + HALF_AN_HOUR, statement(5, 0), put(NORTH, 3)))
                .isInstanceOf(Outcome.Written.class);
        assertThat(stored(NORTH)).contains("\"n\":3");
    }

    @Test
    void onlyStatementsThatNoLongerCountArePurged() {
        write(statement(5, 0).sought(), put(NORTH, 1));
        writeAt(NOW + 1000, statement(5, 1), put(NORTH, 2));
        // The statements of a key without items are forgotten, too.
        writeAt(NOW + 1000, statement(5, 2), remove(NORTH));
        List<Bytes> rows =
                rows(Keys.allSessions()).stream()
                        .map(row -> Keys.sessionSuffix(row.unsafeArray()))
                        .toList();
        assertThat(rows).hasSize(3);
        assertThat(rows(Keys.allSessionPlaces())).hasSize(1);

        fixture.one(new PurgeSessions(PARTITION, NOW + HALF_AN_HOUR - 1, rows));
        assertThat(rows(Keys.allSessions())).hasSize(3);
        fixture.one(new PurgeSessions(PARTITION, NOW + HALF_AN_HOUR, rows));
        assertThat(rows(Keys.allSessions())).hasSize(2);
        assertThat(rows(Keys.allSessionPlaces())).isEmpty();
        fixture.one(new PurgeSessions(PARTITION, NOW + HALF_AN_HOUR + 1000, rows));
        assertThat(rows(Keys.allSessions())).isEmpty();
    }

    @Test
    void aStatementThatIsSoughtIsFoundWithoutItsKey() {
        Statement sought = statement(5, 0).sought();
        write(sought, put(NORTH, 1));

        assertThat(SessionMemory.place(fixture.store(), PARTITION.container(), sought))
                .contains(NORTH.epk());
        write(statement(6, 0), put(NORTH, 2));
        assertThat(rows(Keys.allSessionPlaces())).isEmpty();
    }

    @Test
    void statementsGoWithTheirKeysThroughASplitAndAMerge() {
        ItemKey south = key("south", "i");
        write(statement(5, 0), put(NORTH, 1));
        write(statement(5, 1), put(south, 1));
        EffectiveKey at = NORTH.epk().compareTo(south.epk()) < 0 ? south.epk() : NORTH.epk();
        ItemKey left = at.equals(NORTH.epk()) ? south : NORTH;
        ItemKey right = at.equals(NORTH.epk()) ? NORTH : south;
        PartitionId leftId = new PartitionId(PARTITION.container(), 10);
        PartitionId rightId = new PartitionId(PARTITION.container(), 11);

        fixture.one(new ReshapeCommand.PrepareSplit(PARTITION, at, 10, 11));
        long prepared = fixture.state().record().split().orElseThrow().position();
        DataSize before = fixture.logicalPartition(left).size();
        assertThat(
                        fixture.one(
                                new ReshapeCommand.CommitSplit(
                                        PARTITION, 10, 11, 10, 11, prepared, before, NOW)))
                .isEqualTo(new Outcome.Done());
        Statement ofLeft = statement(5, left.equals(NORTH) ? 0 : 1);
        Statement ofRight = statement(5, right.equals(NORTH) ? 0 : 1);

        assertThat(fixture.one(write(leftId, NOW, ofLeft, put(left, 2)))).isEqualTo(DONE_BEFORE);
        assertThat(fixture.one(write(rightId, NOW, ofRight, put(right, 2)))).isEqualTo(DONE_BEFORE);
        assertThat(fixture.one(new ReshapeCommand.MergePartitions(leftId, 11, 12, 12, NOW)))
                .isEqualTo(new Outcome.Done());
        PartitionId merged = new PartitionId(PARTITION.container(), 12);
        assertThat(fixture.one(write(merged, NOW, ofLeft, put(left, 2)))).isEqualTo(DONE_BEFORE);
        assertThat(fixture.one(write(merged, NOW, ofRight, put(right, 2)))).isEqualTo(DONE_BEFORE);
    }

    @Test
    void aDroppedPartitionLeavesNothing() {
        write(statement(5, 0).sought(), put(NORTH, 1));

        fixture.apply(
                write(PARTITION, NOW, statement(5, 1), put(NORTH, 1)),
                new Command.DropPartition(PARTITION),
                MachineFixture.openCommand(IndexingPolicy.DEFAULT, NO_LIMIT),
                write(PARTITION, NOW, statement(5, 0), put(NORTH, 2)));

        assertThat(rows(Keys.allSessions())).hasSize(1);
        assertThat(rows(Keys.allSessionPlaces())).isEmpty();
        assertThat(stored(NORTH)).contains("\"n\":2");
        fixture.apply(new Command.DropPartition(PARTITION));
        assertThat(rows(Keys.allSessions())).isEmpty();
    }
}
