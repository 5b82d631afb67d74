package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static orrery.partition.machine.MachineFixture.NOTHING;
import static orrery.partition.machine.MachineFixture.NOW;
import static orrery.partition.machine.MachineFixture.NO_LIMIT;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;
import static orrery.partition.machine.MachineFixture.newItem;
import static orrery.partition.machine.MachineFixture.openCommand;
import static orrery.partition.machine.MachineFixture.put;
import static orrery.partition.machine.MachineFixture.remove;
import static orrery.partition.machine.MachineFixture.version;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.ItemVersion.Operation;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.storage.Table;
import orrery.storage.format.Cause;
import orrery.storage.format.ChangeHeader;
import orrery.storage.format.ChangeRecord;
import orrery.storage.format.DataSize;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;
import orrery.storage.format.PartitionRecord;

/** The rules of the machine, one by one. The fixture audits the store after every entry. */
class PartitionMachineTest {
    private static final ItemKey KEY = key("north", "i1");
    private static final String BODY = "{\"id\":\"i1\",\"pk\":\"north\",\"n\":1}";
    private static final long DOCIDS = 3L << 40;
    private static final long MINUTE = 60_000;

    private MachineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new MachineFixture(directory);
        fixture.open(IndexingPolicy.DEFAULT, NO_LIMIT);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Outcome.Written written(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Written.class);
        return (Outcome.Written) outcome;
    }

    private static Outcome rejected(ErrorCode code, int index, int itemBytes) {
        return new Outcome.Rejected(code, index, itemBytes);
    }

    private static Command.ItemChange replace(Precondition precondition, String body) {
        return put(Command.Expect.PRESENT, precondition, KEY, body);
    }

    private static Precondition matches(Etag etag) {
        return new Precondition.Matches(etag);
    }

    // Items

    @Test
    void aCreatedItemHasItsLsnEtagDocidAndTime() {
        Outcome.Written outcome = written(fixture.one(fixture.write(newItem(KEY, BODY))));

        assertThat(outcome.lsn()).isEqualTo(2);
        assertThat(outcome.timeMillis()).isEqualTo(NOW);
        assertThat(outcome.items())
                .containsExactly(
                        new Outcome.ItemOutcome(
                                Outcome.Kind.CREATED,
                                DOCIDS | 1,
                                Etag.ofWrite(MachineFixture.PARTITION, 2, 0),
                                0,
                                BODY.length(),
                                0,
                                3));
        ItemRecord item = fixture.item(KEY).orElseThrow();
        assertThat(item.segment()).isEqualTo(3);
        assertThat(item.policyVersion()).isEqualTo(1);
        assertThat(item.ordinal()).isZero();
        assertThat(item.lifetimeSeconds()).isEqualTo(ItemRecord.UNSAID);
        assertThat(item.creationLsn()).isEqualTo(2);
        assertThat(item.birthSegment()).isEqualTo(3);
        assertThat(item.body().toUtf8()).isEqualTo(BODY);
    }

    @Test
    void whatExistsCannotBeCreated() {
        fixture.one(fixture.write(newItem(KEY, BODY)));

        assertThat(fixture.one(fixture.write(newItem(KEY, "{\"id\":\"i1\"}"))))
                .isEqualTo(rejected(ErrorCode.CONFLICT, 0, BODY.length()));
        assertThat(fixture.item(KEY).orElseThrow().body().toUtf8()).isEqualTo(BODY);
    }

    @Test
    void whatIsMissingCannotBeReplacedOrDeleted() {
        assertThat(fixture.one(fixture.write(replace(Precondition.NONE, BODY))))
                .isEqualTo(rejected(ErrorCode.NOT_FOUND, 0, 0));
        assertThat(fixture.one(fixture.write(remove(KEY))))
                .isEqualTo(rejected(ErrorCode.NOT_FOUND, 0, 0));
        assertThat(fixture.one(fixture.write(replace(new Precondition.Exists(), BODY))))
                .isEqualTo(rejected(ErrorCode.NOT_FOUND, 0, 0));
    }

    @Test
    void anEtagMustBeThePresentOne() {
        fixture.one(fixture.write(newItem(KEY, BODY)));
        Etag first = fixture.item(KEY).orElseThrow().etag();
        assertThat(fixture.one(fixture.write(replace(matches(first), BODY))))
                .isInstanceOf(Outcome.Written.class);

        assertThat(fixture.one(fixture.write(replace(matches(first), BODY))))
                .isEqualTo(rejected(ErrorCode.PRECONDITION_FAILED, 0, BODY.length()));
        assertThat(fixture.one(fixture.write(new Command.ItemChange.Remove(KEY, matches(first)))))
                .isEqualTo(rejected(ErrorCode.PRECONDITION_FAILED, 0, BODY.length()));
        assertThat(fixture.one(fixture.write(replace(new Precondition.Impossible(), BODY))))
                .isEqualTo(rejected(ErrorCode.PRECONDITION_FAILED, 0, BODY.length()));
        assertThat(fixture.one(fixture.write(replace(new Precondition.Exists(), BODY))))
                .isInstanceOf(Outcome.Written.class);
    }

    @Test
    void anUpsertWithAnEtagCreatesWhatIsMissing() {
        Outcome outcome =
                fixture.one(
                        fixture.write(put(Command.Expect.ANY, matches(new Etag(1, 1)), KEY, BODY)));

        assertThat(written(outcome).items().getFirst().kind()).isEqualTo(Outcome.Kind.CREATED);
    }

    @Test
    void anUpsertKeepsTheDocid() {
        fixture.one(fixture.write(newItem(KEY, BODY)));

        Outcome outcome =
                fixture.one(fixture.write(put(Command.Expect.ANY, Precondition.NONE, KEY, BODY)));

        assertThat(written(outcome).items().getFirst().kind()).isEqualTo(Outcome.Kind.REPLACED);
        assertThat(written(outcome).items().getFirst().docid()).isEqualTo(DOCIDS | 1);
        assertThat(fixture.item(KEY).orElseThrow().lsn()).isEqualTo(3);
    }

    @Test
    void aDocidIsNeverUsedAgain() {
        fixture.one(fixture.write(newItem(KEY, BODY)));
        fixture.one(fixture.write(remove(KEY)));

        Outcome outcome = fixture.one(fixture.write(newItem(KEY, BODY)));

        assertThat(written(outcome).items().getFirst().docid()).isEqualTo(DOCIDS | 2);
        assertThat(fixture.state().record().counters().nextDocid()).isEqualTo(3);
    }

    @Test
    void oneIdUnderTwoKeysIsTwoItems() {
        fixture.apply(
                fixture.write(newItem(key("north", "i1"), BODY)),
                fixture.write(newItem(key("south", "i1"), BODY)));

        assertThat(fixture.state().record().size().items()).isEqualTo(2);
    }

    @Test
    void onlyWritesThatHappenTakeAnLsn() {
        fixture.one(fixture.write(remove(KEY)));
        assertThat(fixture.state().record().headLsn()).isEqualTo(1);

        fixture.one(fixture.write(newItem(KEY, BODY)));
        fixture.one(fixture.write(newItem(KEY, BODY)));
        fixture.one(new Command.SetDefinition(PARTITION, version(2, IndexingPolicy.DEFAULT, 1)));

        assertThat(fixture.state().record().headLsn()).isEqualTo(2);
    }

    @Test
    void timeNeverFalls() {
        fixture.one(fixture.writeAt(NOW + 5000, newItem(KEY, BODY)));

        Outcome outcome =
                fixture.one(fixture.writeAt(NOW - 5000, replace(Precondition.NONE, BODY)));

        assertThat(written(outcome).timeMillis()).isEqualTo(NOW + 5000);
        assertThat(fixture.item(KEY).orElseThrow().timestampMillis()).isEqualTo(NOW + 5000);
        assertThat(fixture.state().record().timeMillis()).isEqualTo(NOW + 5000);
    }

    @Test
    void theFirstLsnOfEachMinuteIsKept() {
        fixture.one(fixture.writeAt(NOW + 1, newItem(KEY, BODY)));
        fixture.one(fixture.writeAt(NOW + MINUTE, replace(Precondition.NONE, BODY)));
        fixture.one(fixture.writeAt(NOW + MINUTE + 1, replace(Precondition.NONE, BODY)));

        assertThat(fixture.store().get(Table.META, Keys.time(7, 3, NOW / MINUTE)))
                .isEqualTo(Bytes.ofHex("0000000000000001").unsafeArray());
        assertThat(fixture.store().get(Table.META, Keys.time(7, 3, NOW / MINUTE + 1)))
                .isEqualTo(Bytes.ofHex("0000000000000003").unsafeArray());
    }

    // Entries and transactions

    @Test
    void commandsOfOneEntrySeeEachOther() {
        List<Outcome> outcomes =
                fixture.apply(
                        fixture.write(newItem(KEY, BODY)),
                        fixture.write(newItem(KEY, BODY)),
                        fixture.write(
                                replace(
                                        matches(Etag.ofWrite(MachineFixture.PARTITION, 2, 0)),
                                        "{\"id\":\"i1\"}")),
                        fixture.write(remove(KEY)),
                        fixture.write(remove(KEY)),
                        fixture.write(newItem(KEY, BODY)));

        assertThat(outcomes)
                .extracting(outcome -> outcome instanceof Outcome.Written w ? w.lsn() : 0L)
                .containsExactly(2L, 0L, 3L, 4L, 0L, 5L);
        assertThat(fixture.item(KEY).orElseThrow().docid()).isEqualTo(DOCIDS | 2);
        assertThat(fixture.keys(Table.CHANGES)).hasSize(1);
        assertThat(fixture.state().record().size().items()).isEqualTo(1);
    }

    @Test
    void aTransactionHappensAsAWholeOrNotAtAll() {
        ItemKey other = key("north", "i2");

        assertThat(
                        fixture.one(
                                fixture.write(
                                        newItem(KEY, BODY),
                                        newItem(other, BODY),
                                        newItem(KEY, BODY))))
                .isEqualTo(rejected(ErrorCode.CONFLICT, 2, BODY.length()));
        assertThat(fixture.keys(Table.ITEMS)).isEmpty();
        assertThat(fixture.keys(Table.INDEX)).isEmpty();
        assertThat(fixture.state().record().counters().nextDocid()).isEqualTo(1);

        Outcome.Written outcome =
                written(fixture.one(fixture.write(newItem(KEY, BODY), newItem(other, BODY))));
        assertThat(outcome.lsn()).isEqualTo(2);
        assertThat(outcome.items())
                .extracting(Outcome.ItemOutcome::etag)
                .containsExactly(
                        Etag.ofWrite(MachineFixture.PARTITION, 2, 0),
                        Etag.ofWrite(MachineFixture.PARTITION, 2, 1));
        assertThat(fixture.keys(Table.CHANGES))
                .containsExactly(
                        Bytes.wrap(Keys.change(7, 3, 2, 3, 0)),
                        Bytes.wrap(Keys.change(7, 3, 2, 3, 1)));
    }

    @Test
    void aReplaceKeepsTheLsnOfTheCreation() {
        written(fixture.one(fixture.write(newItem(KEY, BODY))));
        written(fixture.one(fixture.write(replace(Precondition.NONE, "{\"id\":\"i1\"}"))));

        ItemRecord item = fixture.item(KEY).orElseThrow();
        assertThat(item.creationLsn()).isEqualTo(2);
        assertThat(item.lsn()).isEqualTo(3);
        ChangeRecord change =
                ChangeRecord.decode(
                        Objects.requireNonNull(
                                fixture.store().get(Table.CHANGES, Keys.change(7, item))));
        assertThat(change.header())
                .isEqualTo(
                        ChangeHeader.of(
                                Operation.REPLACE,
                                Cause.USER,
                                ChangeHeader.FIRST | ChangeHeader.LAST,
                                item.timestampMillis(),
                                2));
    }

    @Test
    void aTransactionMayChangeOneItemTwice() {
        Outcome.Written outcome =
                written(
                        fixture.one(
                                fixture.write(
                                        newItem(KEY, BODY),
                                        replace(Precondition.NONE, "{\"id\":\"i1\"}"),
                                        remove(KEY),
                                        newItem(KEY, BODY))));

        assertThat(outcome.items())
                .extracting(Outcome.ItemOutcome::kind)
                .containsExactly(
                        Outcome.Kind.CREATED,
                        Outcome.Kind.REPLACED,
                        Outcome.Kind.DELETED,
                        Outcome.Kind.CREATED);
        assertThat(fixture.item(KEY).orElseThrow().ordinal()).isEqualTo(3);
        assertThat(fixture.keys(Table.CHANGES)).hasSize(1);
    }

    @Test
    void entriesComeInOrder() {
        PartitionMachine machine = fixture.machine();
        try (var batch = fixture.store().newBatch()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> machine.apply(machine.appliedPosition(), List.of(), batch));
            assertThatIllegalStateException()
                    .isThrownBy(
                            () -> machine.apply(machine.appliedPosition() + 2, List.of(), batch));
        }
    }

    @Test
    void aRestartContinuesWhereItWas() {
        fixture.one(fixture.write(newItem(KEY, BODY)));
        PartitionState before = fixture.state();
        fixture.restart();

        assertThat(fixture.state().record()).isEqualTo(before.record());
        assertThat(written(fixture.one(fixture.write(remove(KEY)))).lsn()).isEqualTo(3);
    }

    // The limit of a logical partition

    private LogicalPartitionRecord counter() {
        return LogicalPartitionRecord.decode(
                Objects.requireNonNull(
                        fixture.store()
                                .get(
                                        Table.META,
                                        Keys.logicalPartition(7, KEY.epk(), KEY.partitionKey()))));
    }

    private static String bodyOf(int bytes) {
        String frame = "{\"id\":\"i1\",\"s\":\"\"}";
        return "{\"id\":\"i1\",\"s\":\"" + "x".repeat(bytes - frame.length()) + "\"}";
    }

    @Test
    void aKeyMayBeFilledToItsLimitAndNotByOneByteMore() {
        // Texts beyond 256 bytes are cut in the index: from there one byte of body is one byte.
        fixture.one(fixture.write(newItem(KEY, bodyOf(1000))));
        long limit = counter().size().bytes();
        fixture.one(
                new Command.SetDefinition(PARTITION, version(2, IndexingPolicy.DEFAULT, limit)));

        assertThat(fixture.one(fixture.write(replace(Precondition.NONE, bodyOf(1000)))))
                .isInstanceOf(Outcome.Written.class);
        assertThat(fixture.one(fixture.write(replace(Precondition.NONE, bodyOf(1001)))))
                .isEqualTo(rejected(ErrorCode.LOGICAL_PARTITION_FULL, 0, 0));
        assertThat(fixture.one(fixture.write(newItem(key("north", "i2"), "{}"))))
                .isEqualTo(rejected(ErrorCode.LOGICAL_PARTITION_FULL, 0, 0));
        assertThat(fixture.one(fixture.write(newItem(key("south", "i2"), "{}"))))
                .as("another key has room of its own")
                .isInstanceOf(Outcome.Written.class);
    }

    @Test
    void aPartitionThatNeverSplitsMayBeFilledToItsLimitAndNotByOneByteMore() {
        fixture.one(fixture.write(newItem(KEY, bodyOf(1000))));
        fixture.one(fixture.write(newItem(key("south", "i2"), bodyOf(500))));
        long limit = fixture.state().record().size().bytes();
        fixture.one(
                new Command.SetDefinition(
                        PARTITION, version(2, IndexingPolicy.DEFAULT, NO_LIMIT, limit)));
        fixture.restart();

        assertThat(fixture.one(fixture.write(replace(Precondition.NONE, bodyOf(1000)))))
                .isInstanceOf(Outcome.Written.class);
        assertThat(fixture.one(fixture.write(replace(Precondition.NONE, bodyOf(1001)))))
                .isEqualTo(rejected(ErrorCode.FIXED_CONTAINER_FULL, 0, 0));
        assertThat(fixture.one(fixture.write(newItem(key("east", "i3"), "{}"))))
                .as("the limit is that of all keys together")
                .isEqualTo(rejected(ErrorCode.FIXED_CONTAINER_FULL, 0, 0));
        assertThat(fixture.one(fixture.write(remove(key("south", "i2")))))
                .isInstanceOf(Outcome.Written.class);
        assertThat(fixture.one(fixture.write(replace(Precondition.NONE, bodyOf(1001)))))
                .isInstanceOf(Outcome.Written.class);
    }

    @Test
    void aFullKeyMayShrinkAndThenGrowAgain() {
        fixture.one(fixture.write(newItem(KEY, bodyOf(1000))));
        fixture.one(fixture.write(newItem(key("north", "i2"), bodyOf(500))));
        long limit = counter().size().bytes() - 100;
        fixture.one(
                new Command.SetDefinition(PARTITION, version(2, IndexingPolicy.DEFAULT, limit)));

        assertThat(fixture.one(fixture.write(replace(Precondition.NONE, bodyOf(1001)))))
                .isEqualTo(rejected(ErrorCode.LOGICAL_PARTITION_FULL, 0, 0));
        assertThat(fixture.one(fixture.write(replace(Precondition.NONE, bodyOf(999)))))
                .as("what shrinks is welcome even above the limit")
                .isInstanceOf(Outcome.Written.class);
        fixture.one(fixture.write(remove(key("north", "i2"))));
        assertThat(fixture.one(fixture.write(replace(Precondition.NONE, bodyOf(1001)))))
                .isInstanceOf(Outcome.Written.class);
    }

    @Test
    void anEmptyKeyLeavesNoCounter() {
        fixture.one(fixture.write(newItem(KEY, BODY)));
        assertThat(counter().size().items()).isEqualTo(1);
        assertThat(counter().lastWriteLsn()).isEqualTo(2);

        fixture.one(fixture.write(remove(KEY)));

        assertThat(
                        fixture.store()
                                .get(
                                        Table.META,
                                        Keys.logicalPartition(7, KEY.epk(), KEY.partitionKey())))
                .isNull();
        assertThat(fixture.keys(Table.INDEX)).isEmpty();
        assertThat(fixture.keys(Table.CHANGES)).isEmpty();
        PartitionRecord record = fixture.state().record();
        assertThat(record.size()).isEqualTo(DataSize.NONE);
    }

    // Once only

    @Test
    void aRepeatedRequestHasItsFirstOutcome() {
        Command.WriteItems create = fixture.write(newItem(KEY, BODY));
        Command.WriteItems refused = fixture.write(newItem(KEY, BODY));
        List<Outcome> first = fixture.apply(create, create, refused);
        Outcome createdBefore = repeated(first.get(0));
        Outcome refusedBefore = repeated(first.get(2));
        assertThat(first.get(1)).isEqualTo(createdBefore);

        fixture.one(fixture.write(remove(KEY)));

        assertThat(fixture.apply(refused, create)).containsExactly(refusedBefore, createdBefore);
        fixture.restart();
        assertThat(fixture.apply(create, refused)).containsExactly(createdBefore, refusedBefore);
        assertThat(fixture.item(KEY)).isEmpty();
    }

    private static Outcome repeated(Outcome first) {
        return new Outcome.Repeated(first, Bytes.EMPTY);
    }

    /** Only a command that was carried out has an answer. */
    @Test
    void anAnswerIsKeptWithTheOutcome() {
        Bytes answer = Bytes.ofUtf8("answer");
        Command.WriteItems create = withAnswer(fixture.write(newItem(KEY, BODY)), answer);
        Command.WriteItems refused = withAnswer(fixture.write(newItem(KEY, BODY)), answer);
        List<Outcome> first = fixture.apply(create, refused);
        fixture.restart();

        assertThat(fixture.apply(create, refused))
                .containsExactly(
                        new Outcome.Repeated(first.get(0), answer), repeated(first.get(1)));
        assertThat(fixture.machine().findCarriedOut(create.requestId()))
                .contains(new Outcome.Repeated(first.get(0), answer));
        assertThat(fixture.machine().findCarriedOut(fixture.newRequest())).isEmpty();
    }

    private static Command.WriteItems withAnswer(Command.WriteItems write, Bytes answer) {
        return new Command.WriteItems(
                write.partition(),
                write.requestId(),
                write.stampMillis(),
                write.changes(),
                write.lastWrite(),
                answer);
    }

    @Test
    void aRequestIsForgottenAfterAMinuteOfStampedTime() {
        Command.WriteItems create = fixture.write(newItem(KEY, BODY));
        fixture.one(create);
        fixture.one(fixture.write(remove(KEY)));
        fixture.one(fixture.writeAt(NOW + MINUTE - 1, remove(KEY)));
        assertThat(fixture.one(create)).isInstanceOf(Outcome.Repeated.class);

        fixture.one(fixture.writeAt(NOW + MINUTE, remove(KEY)));

        assertThat(written(fixture.one(create)).lsn()).isEqualTo(4);
    }

    @Test
    void deduplicationRecordsGoAway() {
        for (int i = 0; i < 30; i++) {
            fixture.one(fixture.write(remove(KEY)));
        }
        assertThat(deduplicationRows()).isEqualTo(30);
        for (int i = 0; i < 8; i++) {
            fixture.one(fixture.writeAt(NOW + 2 * MINUTE, remove(KEY)));
        }
        assertThat(deduplicationRows()).isEqualTo(8);
        fixture.restart();
        fixture.one(fixture.writeAt(NOW + 2 * MINUTE, remove(KEY)));
        assertThat(deduplicationRows()).isEqualTo(9);
    }

    private long deduplicationRows() {
        Bytes prefix = Bytes.wrap(Keys.allDeduplications());
        return fixture.keys(Table.META).stream().filter(key -> key.startsWith(prefix)).count();
    }

    @Test
    void aRangeThatIsNotHereIsNotRemembered() {
        PartitionId later = new PartitionId(7, 4);
        Command.WriteItems early =
                new Command.WriteItems(
                        later, fixture.newRequest(), NOW, List.of(newItem(KEY, BODY)));
        assertThat(fixture.one(early)).isEqualTo(rejected(ErrorCode.RANGE_GONE, 0, 0));
        fixture.one(new Command.DropPartition(PARTITION));
        fixture.one(
                new Command.OpenPartition(
                        later,
                        KeyRange.FULL,
                        0,
                        version(1, IndexingPolicy.DEFAULT, NO_LIMIT),
                        NOW));

        assertThat(fixture.one(early)).isInstanceOf(Outcome.Written.class);
    }

    @Test
    void aKeyOutsideTheRangeIsNotHere() {
        PartitionId id = new PartitionId(8, 0);
        KeyRange keys = new KeyRange(EffectiveKey.MIN, KEY.epk());
        fixture.one(
                new Command.OpenPartition(
                        id, keys, 9, version(1, IndexingPolicy.DEFAULT, NO_LIMIT), NOW));

        assertThat(
                        fixture.one(
                                new Command.WriteItems(
                                        id,
                                        fixture.newRequest(),
                                        NOW,
                                        List.of(newItem(KEY, BODY)))))
                .isEqualTo(rejected(ErrorCode.RANGE_GONE, 0, 0));
    }

    // Definitions

    @Test
    void openingTwiceIsOpeningOnce() {
        fixture.one(fixture.write(newItem(KEY, BODY)));

        assertThat(fixture.one(openCommand(NOTHING, 1))).isEqualTo(new Outcome.Done());
        assertThat(fixture.state().record().size().items()).isEqualTo(1);
        assertThat(fixture.state().record().policyVersion()).isEqualTo(1);
    }

    @Test
    void anOlderDefinitionIsIgnored() {
        fixture.one(new Command.SetDefinition(PARTITION, version(5, IndexingPolicy.DEFAULT, 100)));
        fixture.one(new Command.SetDefinition(PARTITION, version(4, NOTHING, 1)));

        assertThat(fixture.state().record().definitionVersion()).isEqualTo(5);
        assertThat(fixture.state().record().policyVersion())
                .as("the policy is still the first")
                .isEqualTo(1);
        assertThat(fixture.state().definition().current().logicalPartitionMaxBytes())
                .isEqualTo(100);
    }

    @Test
    void aPolicyThatCannotBeUsedIsRefused() {
        IndexingPolicy spatial =
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        List.of("/*"),
                        List.of(),
                        List.of(),
                        List.of(
                                new IndexingPolicy.SpatialPath(
                                        "/where/*", List.of("Circle"), Optional.empty())));

        assertThat(fixture.one(new Command.SetDefinition(PARTITION, version(2, spatial, 1))))
                .isEqualTo(rejected(ErrorCode.BAD_REQUEST, 0, 0));
        assertThat(
                        fixture.one(
                                new Command.OpenPartition(
                                        new PartitionId(9, 0),
                                        KeyRange.FULL,
                                        0,
                                        version(1, spatial, 1),
                                        NOW)))
                .isEqualTo(rejected(ErrorCode.BAD_REQUEST, 0, 0));
        assertThat(fixture.one(fixture.write(newItem(KEY, BODY))))
                .isInstanceOf(Outcome.Written.class);
    }

    @Test
    void aNewPolicyIsCarriedOutInSteps() {
        for (int i = 0; i < 5; i++) {
            fixture.one(fixture.write(newItem(key("north", "i" + i), BODY)));
        }
        long head = fixture.state().record().headLsn();
        Etag etag = fixture.item(key("north", "i0")).orElseThrow().etag();
        fixture.one(new Command.SetDefinition(PARTITION, version(2, NOTHING, NO_LIMIT)));
        assertThat(fixture.state().record().reindexing()).isTrue();
        // A write under the new policy in the middle of the work.
        fixture.one(fixture.write(newItem(key("north", "i9"), BODY)));

        Command step = new Command.Reindex(PARTITION, 2, 2);
        assertThat(fixture.one(step)).isEqualTo(new Outcome.Reindexed(false));
        assertThat(fixture.state().record().counters().reindexed()).isEqualTo(2);
        assertThat(fixture.one(step)).isEqualTo(new Outcome.Reindexed(false));
        assertThat(fixture.one(step)).isEqualTo(new Outcome.Reindexed(false));
        assertThat(fixture.one(step)).isEqualTo(new Outcome.Reindexed(true));
        assertThat(fixture.one(step)).as("done is done").isEqualTo(new Outcome.Reindexed(true));

        assertThat(fixture.state().record().reindexing()).isFalse();
        assertThat(fixture.state().definition().record().versions()).hasSize(1);
        assertThat(fixture.keys(Table.INDEX)).as("only docids are left").hasSize(6);
        assertThat(fixture.item(key("north", "i0")).orElseThrow().etag()).isEqualTo(etag);
        assertThat(fixture.item(key("north", "i0")).orElseThrow().policyVersion()).isEqualTo(2);
        assertThat(fixture.state().record().headLsn()).isEqualTo(head + 1);
    }

    @Test
    void anItemNotYetReindexedCanBeReplacedAndDeleted() {
        fixture.one(fixture.write(newItem(KEY, BODY)));
        fixture.one(fixture.write(newItem(key("north", "i2"), BODY)));
        fixture.one(new Command.SetDefinition(PARTITION, version(2, NOTHING, NO_LIMIT)));

        fixture.one(fixture.write(replace(Precondition.NONE, BODY)));
        fixture.one(fixture.write(remove(key("north", "i2"))));

        assertThat(fixture.keys(Table.INDEX)).hasSize(1);
    }

    @Test
    void aSecondPolicyBeforeTheFirstIsCarriedOut() {
        for (int i = 0; i < 4; i++) {
            fixture.one(fixture.write(newItem(key("north", "i" + i), BODY)));
        }
        fixture.one(new Command.SetDefinition(PARTITION, version(2, NOTHING, NO_LIMIT)));
        fixture.one(new Command.Reindex(PARTITION, 2, 2));
        fixture.one(
                new Command.SetDefinition(PARTITION, version(3, IndexingPolicy.DEFAULT, NO_LIMIT)));

        assertThat(fixture.one(new Command.Reindex(PARTITION, 2, 100)))
                .as("a step of the older policy has nothing to do")
                .isEqualTo(new Outcome.Reindexed(true));
        assertThat(fixture.state().record().reindexing()).isTrue();
        assertThat(fixture.one(new Command.Reindex(PARTITION, 3, 100)))
                .isEqualTo(new Outcome.Reindexed(true));
        assertThat(fixture.item(key("north", "i3")).orElseThrow().policyVersion()).isEqualTo(3);
    }

    @Test
    void oneEntryMayWriteChangeThePolicyAndReindex() {
        fixture.apply(
                fixture.write(newItem(KEY, BODY)),
                new Command.SetDefinition(PARTITION, version(2, NOTHING, NO_LIMIT)),
                new Command.Reindex(PARTITION, 2, 100));

        assertThat(fixture.item(KEY).orElseThrow().policyVersion()).isEqualTo(2);
        fixture.restart();
        assertThat(fixture.one(fixture.write(remove(KEY)))).isInstanceOf(Outcome.Written.class);
    }

    // Drop

    @Test
    void aDropLeavesNothing() {
        PartitionId neighbour = new PartitionId(7, 4);
        for (int i = 0; i < 5; i++) {
            fixture.one(fixture.write(newItem(key("k" + i, "i"), BODY)));
        }
        fixture.one(new Command.DropPartition(PARTITION));

        assertThat(fixture.machine().partitions()).isEmpty();
        assertThat(fixture.keys(Table.ITEMS)).isEmpty();
        assertThat(fixture.keys(Table.INDEX)).isEmpty();
        assertThat(fixture.keys(Table.CHANGES)).isEmpty();
        Bytes deduplications = Bytes.wrap(Keys.allDeduplications());
        assertThat(fixture.keys(Table.META))
                .allMatch(
                        key ->
                                key.equals(Bytes.wrap(Keys.applied()))
                                        || key.startsWith(deduplications));
        assertThat(fixture.one(new Command.DropPartition(PARTITION))).isEqualTo(new Outcome.Done());
        assertThat(fixture.one(fixture.write(newItem(KEY, BODY))))
                .isEqualTo(rejected(ErrorCode.RANGE_GONE, 0, 0));
        assertThat(fixture.machine().partitions()).doesNotContainKey(neighbour);
    }

    @Test
    void aDropDoesNotTouchTheNeighbour() {
        PartitionId neighbour = new PartitionId(8, 3);
        fixture.one(
                new Command.OpenPartition(
                        neighbour,
                        KeyRange.FULL,
                        0,
                        version(1, IndexingPolicy.DEFAULT, NO_LIMIT),
                        NOW));
        fixture.one(
                new Command.WriteItems(
                        neighbour, fixture.newRequest(), NOW, List.of(newItem(KEY, BODY))));
        int rows = fixture.keys(Table.INDEX).size();

        fixture.apply(fixture.write(newItem(KEY, BODY)), new Command.DropPartition(PARTITION));

        assertThat(fixture.keys(Table.ITEMS)).hasSize(1);
        assertThat(fixture.keys(Table.INDEX)).hasSize(rows);
        assertThat(fixture.keys(Table.CHANGES)).hasSize(1);
    }

    @Test
    void aPartitionReopenedWithinAnEntryIsEmpty() {
        fixture.one(fixture.write(newItem(KEY, BODY)));

        List<Outcome> outcomes =
                fixture.apply(
                        fixture.write(newItem(key("north", "i2"), BODY)),
                        new Command.DropPartition(PARTITION),
                        openCommand(IndexingPolicy.DEFAULT, NO_LIMIT),
                        fixture.write(newItem(KEY, BODY)),
                        new Command.SetDefinition(PARTITION, version(2, NOTHING, NO_LIMIT)),
                        new Command.Reindex(PARTITION, 2, 100));

        assertThat(outcomes.get(3)).isInstanceOf(Outcome.Written.class);
        assertThat(fixture.state().record().size().items()).isEqualTo(1);
    }
}
