package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.machine.MachineFixture.NOW;
import static orrery.partition.machine.MachineFixture.PARTITION;
import static orrery.partition.machine.MachineFixture.key;
import static orrery.partition.machine.MachineFixture.newItem;
import static orrery.partition.machine.MachineFixture.put;
import static orrery.partition.machine.MachineFixture.remove;
import static orrery.partition.machine.MachineFixture.version;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.storage.format.DataSize;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/** Expiry in apply, by the time of the log. The fixture audits the store after every entry. */
class ExpiryTest {
    private static final ItemKey KEY = key("north", "i1");
    private static final String PLAIN = "{\"e\":1}";
    private static final UniqueKey UNIQUE = new UniqueKey(List.of(PropertyPath.parse("/e")));

    private MachineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new MachineFixture(directory);
        fixture.open(
                definition ->
                        definition
                                .withTimeToLive(new TimeToLive(10))
                                .withUniqueKeys(List.of(UNIQUE)));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Outcome at(long seconds, Command.ItemChange... changes) {
        return fixture.one(fixture.writeAt(NOW + seconds * 1000, changes));
    }

    private Outcome.ItemOutcome done(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Written.class);
        return ((Outcome.Written) outcome).items().getLast();
    }

    private static Outcome refused(ErrorCode code, int bytes) {
        return new Outcome.Rejected(code, 0, bytes);
    }

    private static Command.ItemChange replace(ItemKey key, String body) {
        return put(Command.Expect.PRESENT, Precondition.NONE, key, body);
    }

    private Outcome purge(long seconds, ItemKey... keys) {
        return fixture.one(
                new Command.Purge(
                        PARTITION,
                        NOW + seconds * 1000,
                        List.of(keys).stream()
                                .map(
                                        key ->
                                                new Command.Purge.Target(
                                                        Keys.itemSuffix(key),
                                                        fixture.item(key)
                                                                .map(ItemRecord::etag)
                                                                .orElse(new Etag(1, 1))))
                                .toList()));
    }

    @Test
    void anItemIsThereUntilItsLastMillisecond() {
        done(at(0, newItem(KEY, PLAIN)));

        assertThat(fixture.one(fixture.writeAt(NOW + 9_999, newItem(KEY, PLAIN))))
                .isEqualTo(refused(ErrorCode.CONFLICT, PLAIN.length()));
        Outcome.ItemOutcome anew = done(at(10, newItem(KEY, PLAIN)));

        assertThat(anew.kind()).isEqualTo(Outcome.Kind.CREATED);
        assertThat(anew.docid() & 0xFF).isEqualTo(2);
        assertThat(fixture.state().record().size().items()).isEqualTo(1);
    }

    @Test
    void whatHasExpiredCannotBeReplacedDeletedOrMatched() {
        Outcome.ItemOutcome first = done(at(0, newItem(KEY, PLAIN)));

        assertThat(at(10, replace(KEY, PLAIN))).isEqualTo(refused(ErrorCode.NOT_FOUND, 0));
        assertThat(at(10, remove(KEY))).isEqualTo(refused(ErrorCode.NOT_FOUND, 0));
        Precondition same = new Precondition.Matches(first.etag());
        assertThat(at(10, put(Command.Expect.PRESENT, same, KEY, PLAIN)))
                .isEqualTo(refused(ErrorCode.NOT_FOUND, 0));
        assertThat(done(at(10, put(Command.Expect.ANY, same, KEY, PLAIN))).kind())
                .isEqualTo(Outcome.Kind.CREATED);
    }

    @Test
    void aReplaceBeginsTheLifetimeAnew() {
        done(at(0, newItem(KEY, PLAIN)));
        done(at(9, replace(KEY, PLAIN)));

        done(at(18, replace(KEY, PLAIN)));
        assertThat(at(28, replace(KEY, PLAIN))).isEqualTo(refused(ErrorCode.NOT_FOUND, 0));
    }

    @Test
    void theItemsOwnWordCountsBeforeTheContainers() {
        done(at(0, newItem(KEY, "{\"e\":1,\"ttl\":3}")));
        done(at(0, newItem(key("north", "i2"), "{\"e\":2,\"ttl\":-1}")));
        done(at(0, newItem(key("north", "i3"), "{\"e\":3,\"ttl\":20}")));

        assertThat(fixture.item(KEY).orElseThrow().expiryMillis()).isEqualTo(NOW + 3000);
        assertThat(fixture.item(key("north", "i2")).orElseThrow().lifetimeSeconds())
                .isEqualTo(ItemRecord.ENDLESS);
        assertThat(at(3, remove(KEY))).isEqualTo(refused(ErrorCode.NOT_FOUND, 0));
        done(at(19, replace(key("north", "i3"), "{\"e\":3}")));
        done(at(1_000_000, remove(key("north", "i2"))));
    }

    @Test
    void theContainersSettingCountsAtOnceAndForWhatIsThere() {
        done(at(0, newItem(KEY, PLAIN)));
        done(at(0, newItem(key("south", "own"), "{\"ttl\":30}")));
        set(2, new TimeToLive(5));
        assertThat(at(5, replace(KEY, PLAIN))).isEqualTo(refused(ErrorCode.NOT_FOUND, 0));

        set(3, TimeToLive.BY_ITEM);
        done(at(50, remove(KEY)));
        assertThat(at(50, remove(key("south", "own")))).isEqualTo(refused(ErrorCode.NOT_FOUND, 0));

        set(4, TimeToLive.OFF);
        done(at(50, remove(key("south", "own"))));
    }

    private void set(int number, TimeToLive timeToLive) {
        fixture.one(
                new Command.SetDefinition(
                        PARTITION,
                        version(
                                number,
                                definition ->
                                        definition
                                                .withTimeToLive(timeToLive)
                                                .withUniqueKeys(List.of(UNIQUE)))));
    }

    @Test
    void whatHasExpiredGivesUpItsUniqueValues() {
        done(at(0, newItem(KEY, PLAIN)));
        assertThat(at(9, newItem(key("north", "i2"), PLAIN)))
                .isEqualTo(refused(ErrorCode.UNIQUE_KEY_VIOLATION, 0));

        done(at(10, newItem(key("north", "i2"), PLAIN)));
        assertThat(fixture.item(KEY)).isEmpty();
        assertThat(fixture.state().record().size().items()).isEqualTo(1);
    }

    @Test
    void theLongestLifetimeIsNotShorterThanItSays() {
        done(at(0, newItem(KEY, "{\"ttl\":2147483647}")));

        assertThat(fixture.item(KEY).orElseThrow().expiryMillis())
                .isEqualTo(NOW + 2_147_483_647_000L);
        done(at(2_147_483_646L, remove(KEY)));
    }

    @Test
    void aPurgeTakesWhatIsGoneAndNothingElse() {
        done(at(0, newItem(KEY, PLAIN)));
        done(at(5, newItem(key("south", "i2"), PLAIN)));
        assertThat(purge(9, KEY)).isEqualTo(new Outcome.Done());
        assertThat(fixture.state().record().headLsn()).isEqualTo(3);

        Outcome outcome = purge(10, KEY, key("south", "i2"), key("east", "never"));

        assertThat(((Outcome.Written) outcome).items()).hasSize(1);
        assertThat(fixture.item(KEY)).isEmpty();
        assertThat(fixture.item(key("south", "i2"))).isPresent();
        assertThat(fixture.state().record().headLsn()).isEqualTo(4);
        purge(15, key("south", "i2"));
        assertThat(fixture.state().record().size()).isEqualTo(DataSize.NONE);
    }

    @Test
    void aPurgeLeavesAVersionThatItDoesNotMean() {
        done(at(0, newItem(KEY, PLAIN)));
        Command stale =
                new Command.Purge(
                        PARTITION,
                        NOW + 10_000,
                        List.of(
                                new Command.Purge.Target(
                                        Keys.itemSuffix(KEY),
                                        fixture.item(KEY).orElseThrow().etag())));
        done(at(9, replace(KEY, PLAIN)));

        assertThat(fixture.one(stale)).isEqualTo(new Outcome.Done());
        assertThat(fixture.item(KEY)).isPresent();
    }
}
