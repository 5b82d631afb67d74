package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Patch;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.CreationPlace;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.SplitAim;
import orrery.partition.api.StepResult;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.query.EncodedQuery;
import orrery.query.sql.SqlStatement;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;
import orrery.query.write.MergeDialect;
import orrery.query.write.PatchDialect;
import orrery.replication.CommandLog;

/** Writes to all items that a search finds: each of them once, whatever happens meanwhile. */
final class ManyWriterTest {
    private static final String ALL = "SELECT * FROM c WHERE c.n >= 0";
    private static final WriteAction.Computed INCREMENT =
            evaluate(
                    PatchDialect.evaluation(
                            Patch.parse(json("[{'op':'incr','path':'/n','value':1}]"))));

    @TempDir private Path directory;
    private HostFixture host;

    /** Works of others, each done right before the next command of the test gets into the log. */
    private final Deque<Runnable> between = new ArrayDeque<>();

    private final AtomicInteger commands = new AtomicInteger();

    private final class Overtaken implements CommandLog<Command, Outcome> {
        private final CommandLog<Command, Outcome> log;

        Overtaken(CommandLog<Command, Outcome> log) {
            this.log = log;
        }

        @Override
        public Outcome submit(Command command, Duration timeout) {
            if (command instanceof Command.WriteItems) {
                commands.incrementAndGet();
                Runnable other;
                synchronized (between) {
                    other = between.poll();
                }
                if (other != null) {
                    other.run();
                }
            }
            return log.submit(command, timeout);
        }

        @Override
        public void close() {
            log.close();
        }
    }

    @BeforeEach
    void open() {
        host = new HostFixture(directory, HostFixture.ONE_PATH, Overtaken::new, _ -> {});
    }

    @AfterEach
    void close() {
        host.close();
    }

    private static Bytes json(String text) {
        return Bytes.ofUtf8(text.replace('\'', '"'));
    }

    private static WriteAction.Computed evaluate(Evaluation evaluation) {
        return new WriteAction.Evaluate(HostFixture.DATABASE, evaluation, false, Images.NONE);
    }

    private static EncodedQuery query(String text) {
        return SqlStatement.parse(text, Map.of()).encoded();
    }

    private WriteRequest.ChangeMany request(
            PartitionId partition,
            String query,
            WriteAction.Computed action,
            Optional<CreationPlace> from,
            int maxItems,
            int maxBytes) {
        return new WriteRequest.ChangeMany(
                partition,
                host.newRequest(),
                query(query),
                HostFixture.DATABASE,
                KeyRange.FULL,
                Optional.empty(),
                action,
                from,
                maxItems,
                maxBytes);
    }

    private WriteResponse.ManyChanged page(
            String query, WriteAction.Computed action, Optional<CreationPlace> from, int maxItems) {
        return (WriteResponse.ManyChanged)
                host.searched(
                        request(
                                HostFixture.PARTITION,
                                query,
                                action,
                                from,
                                maxItems,
                                HostFixture.MB));
    }

    /** All pages of a write. */
    private List<WriteResponse.ManyChanged> pages(
            String query, WriteAction.Computed action, int maxItems) {
        List<WriteResponse.ManyChanged> pages = new ArrayList<>();
        Optional<CreationPlace> from = Optional.empty();
        do {
            pages.add(page(query, action, from, maxItems));
            from = pages.getLast().next();
        } while (from.isPresent());
        return pages;
    }

    private static long matched(List<WriteResponse.ManyChanged> pages) {
        return pages.stream().mapToLong(WriteResponse.ManyChanged::matched).sum();
    }

    private static long modified(List<WriteResponse.ManyChanged> pages) {
        return pages.stream().mapToLong(WriteResponse.ManyChanged::modified).sum();
    }

    private ItemKey key(int i, int keys) {
        return host.key("i" + i, "k" + i % keys);
    }

    private void create(int i, int keys, int n) {
        host.create(
                key(i, keys),
                json("{'id':'i%d','pk':'k%d','n':%d}".formatted(i, i % keys, n)).toUtf8());
    }

    private void create(int count, int keys) {
        IntStream.range(0, count).forEach(i -> create(i, keys, i));
    }

    private String read(int i, int keys) {
        return host.find(key(i, keys)).item().body().toUtf8().replace('"', '\'');
    }

    private static String body(int i, int keys, int n) {
        return "{'id':'i%d','pk':'k%d','n':%d}".formatted(i, i % keys, n);
    }

    private void write(int i, int keys, String body) {
        assertThat(host.write(key(i, keys), new WriteAction.Upsert(json(body)), Precondition.NONE))
                .isInstanceOf(WriteResponse.Written.class);
    }

    private void between(Runnable other) {
        synchronized (between) {
            between.add(other);
        }
    }

    @Test
    void onePageWritesWhatMatches() {
        create(10, 3);

        WriteResponse.ManyChanged page =
                page("SELECT * FROM c WHERE c.n >= 4", INCREMENT, Optional.empty(), 100);

        assertThat(page.matched()).isEqualTo(6);
        assertThat(page.modified()).isEqualTo(6);
        assertThat(page.refusal()).isEmpty();
        assertThat(page.next()).isEmpty();
        assertThat(page.charge().ru()).isGreaterThan(6 * 5);
        for (int i = 0; i < 10; i++) {
            assertThat(read(i, 3)).isEqualTo(body(i, 3, i >= 4 ? i + 1 : i));
        }
    }

    /** The index is read by n, and each change moves its item ahead in it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20, 300})
    void eachItemIsWrittenOnceAlthoughItMovesWithinTheIndex(int keys) {
        create(300, keys);

        List<WriteResponse.ManyChanged> pages = pages(ALL, INCREMENT, 7);

        assertThat(pages).hasSizeGreaterThan(40);
        assertThat(matched(pages)).isEqualTo(300);
        assertThat(modified(pages)).isEqualTo(300);
        for (int i = 0; i < 300; i++) {
            assertThat(read(i, keys)).isEqualTo(body(i, keys, i + 1));
        }
    }

    /** The changes of one logical partition share commands. */
    @Test
    void changesOfOneKeyArePacked() {
        create(200, 1);
        commands.set(0);

        page(ALL, INCREMENT, Optional.empty(), 200);

        assertThat(commands).hasValue(2);
    }

    @Test
    void aFilterWithFewMatchesReadsFewItems() {
        create(2000, 50);

        List<WriteResponse.ManyChanged> pages =
                pages("SELECT * FROM c WHERE c.n >= 1995", INCREMENT, 100);

        assertThat(pages).hasSize(1);
        assertThat(matched(pages)).isEqualTo(5);
        assertThat(pages.getFirst().charge().ru()).isLessThan(100);
    }

    @Test
    void itemsThatGrowEndThePage() {
        create(50, 1);
        WriteAction.Computed grow =
                evaluate(
                        MergeDialect.evaluation(
                                Body.json(json("{'text':'" + "x".repeat(10_000) + "'}"))));
        List<WriteResponse.ManyChanged> pages = new ArrayList<>();
        Optional<CreationPlace> from = Optional.empty();
        do {
            pages.add(
                    (WriteResponse.ManyChanged)
                            host.searched(
                                    request(HostFixture.PARTITION, ALL, grow, from, 100, 100_000)));
            from = pages.getLast().next();
        } while (from.isPresent());

        assertThat(pages).hasSizeGreaterThan(5);
        assertThat(pages).allMatch(page -> page.matched() <= 9);
        assertThat(matched(pages)).isEqualTo(50);
    }

    @Test
    void itemsThatCeaseToMatchAreStillWrittenOnce() {
        create(60, 4);
        WriteAction.Computed shrink =
                evaluate(MergeDialect.evaluation(Body.json(json("{'n':-1}"))));

        List<WriteResponse.ManyChanged> pages = pages(ALL, shrink, 7);

        assertThat(matched(pages)).isEqualTo(60);
        assertThat(pages(ALL, shrink, 7)).singleElement().matches(page -> page.matched() == 0);
    }

    @Test
    void itemsThatComeMeanwhileAreNotWritten() {
        create(20, 4);
        WriteResponse.ManyChanged first = page(ALL, INCREMENT, Optional.empty(), 7);
        create(20, 4, 100);
        WriteResponse.ManyChanged rest = page(ALL, INCREMENT, first.next(), 100);

        assertThat(first.matched() + rest.matched()).isEqualTo(20);
        assertThat(rest.next()).isEmpty();
        assertThat(read(20, 4)).isEqualTo(body(20, 4, 100));
    }

    @Test
    void aChangeIsMadeOfTheVersionThatAnotherWriteHasLeft() {
        create(10, 1);
        between(() -> write(3, 1, "{'id':'i3','pk':'k0','n':50}"));

        WriteResponse.ManyChanged page = page(ALL, INCREMENT, Optional.empty(), 100);

        assertThat(page.matched()).isEqualTo(10);
        assertThat(read(3, 1)).isEqualTo(body(3, 1, 51));
        assertThat(read(2, 1)).isEqualTo(body(2, 1, 3));
        assertThat(read(4, 1)).isEqualTo(body(4, 1, 5));
    }

    @Test
    void anItemThatHasCeasedToMatchIsPassedOver() {
        create(10, 1);
        between(() -> write(3, 1, "{'id':'i3','pk':'k0','n':-5}"));

        WriteResponse.ManyChanged page = page(ALL, INCREMENT, Optional.empty(), 100);

        assertThat(page.matched()).isEqualTo(9);
        assertThat(read(3, 1)).isEqualTo(body(3, 1, -5));
    }

    @Test
    void anItemThatWasDeletedAndCreatedAgainIsAnotherOne() {
        create(10, 1);
        between(
                () -> {
                    host.write(key(3, 1), new WriteAction.Delete(), Precondition.NONE);
                    create(3, 1, 70);
                });

        WriteResponse.ManyChanged page = page(ALL, INCREMENT, Optional.empty(), 100);

        assertThat(page.matched()).isEqualTo(9);
        assertThat(read(3, 1)).isEqualTo(body(3, 1, 70));
    }

    /** Somebody else increments one of the items before each command: nothing is lost. */
    @Test
    void manyConflictsLoseNoUpdate() {
        create(30, 1);
        for (int i = 0; i < 40; i++) {
            int item = i % 5 * 6;
            between(
                    () ->
                            host.write(
                                    key(item, 1),
                                    HostFixture.patch(
                                            json("[{'op':'incr','path':'/n','value':1000}]")),
                                    Precondition.NONE));
        }

        WriteResponse.ManyChanged page = page(ALL, INCREMENT, Optional.empty(), 100);
        List<Runnable> late = List.copyOf(between);
        between.clear();

        assertThat(page.matched()).isEqualTo(30);
        int sum = 0;
        for (int i = 0; i < 30; i++) {
            String body = read(i, 1);
            sum += Integer.parseInt(body.substring(body.indexOf("'n':") + 4, body.length() - 1));
        }
        assertThat(sum).isEqualTo(30 * 29 / 2 + 30 + 1000 * (40 - late.size()));
    }

    @Test
    void aUniqueKeyThatIsTakenEndsTheWriteAndWhatWasWrittenStays() {
        host.redefine(
                2,
                definition ->
                        definition.withUniqueKeys(
                                List.of(new UniqueKey(List.of(PropertyPath.parse("/n"))))));
        for (int i = 0; i < 10; i++) {
            create(i, 1, i < 6 ? 100 - i : i);
        }

        // 100, 99, ... are free to rise in this order; 6 becomes 7, which is taken.
        WriteResponse.ManyChanged page = page(ALL, INCREMENT, Optional.empty(), 100);

        assertThat(page.refusal())
                .map(StepResult.Refused::code)
                .contains(ErrorCode.UNIQUE_KEY_VIOLATION);
        assertThat(page.matched()).isEqualTo(6);
        assertThat(page.modified()).isEqualTo(6);
        assertThat(page.next()).isEmpty();
        assertThat(read(0, 1)).isEqualTo(body(0, 1, 101));
        assertThat(read(6, 1)).isEqualTo(body(6, 1, 6));
        assertThat(read(9, 1)).isEqualTo(body(9, 1, 9));
    }

    @Test
    void anItemThatCannotBeChangedEndsTheWriteAndWhatWasWrittenStays() {
        create(5, 2);
        write(5, 2, "{'id':'i5','pk':'k1','m':1,'n':'text'}");
        create(6, 2, 6);

        WriteResponse.ManyChanged page = page("SELECT * FROM c", INCREMENT, Optional.empty(), 100);

        assertThat(page.refusal()).map(StepResult.Refused::code).contains(ErrorCode.BAD_REQUEST);
        assertThat(page.matched()).isEqualTo(5);
        assertThat(read(4, 2)).isEqualTo(body(4, 2, 5));
        assertThat(read(6, 2)).isEqualTo(body(6, 2, 6));
    }

    @Test
    void whatHasExpiredIsPassedOver() {
        host.redefine(2, definition -> definition.withTimeToLive(TimeToLive.BY_ITEM));
        create(4, 1);
        write(4, 1, "{'id':'i4','pk':'k0','n':4,'ttl':10}");
        write(5, 1, "{'id':'i5','pk':'k0','n':5,'ttl':1000}");
        host.pass(Duration.ofSeconds(60));

        WriteResponse.ManyChanged page = page(ALL, INCREMENT, Optional.empty(), 100);

        assertThat(page.matched()).isEqualTo(5);
        assertThat(HostFixture.failureOf(host.read(key(4, 1), 0))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void whatExpiresMeanwhileIsPassedOver() {
        host.redefine(2, definition -> definition.withTimeToLive(TimeToLive.BY_ITEM));
        create(2, 1);
        write(2, 1, "{'id':'i2','pk':'k0','n':2,'ttl':10}");
        between(
                () -> {
                    host.pass(Duration.ofSeconds(60));
                    write(9, 1, "{'id':'i9','pk':'k0','n':-9}");
                });

        WriteResponse.ManyChanged page = page(ALL, INCREMENT, Optional.empty(), 100);

        assertThat(page.refusal()).isEmpty();
        assertThat(page.matched()).isEqualTo(2);
    }

    @Test
    void everythingIsDeletedPageByPage() {
        create(100, 9);

        List<WriteResponse.ManyChanged> pages =
                pages("SELECT * FROM c", new WriteAction.Delete(), 7);

        assertThat(matched(pages)).isEqualTo(100);
        assertThat(modified(pages)).isEqualTo(100);
        assertThat(HostFixture.failureOf(host.read(key(50, 9), 0))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    /** The partition is split when some commands of a page are in the log and others are not. */
    @Test
    void aSplitWithinAPageRepeatsNothing() {
        create(60, 20);
        for (int i = 0; i < 4; i++) {
            between(() -> {});
        }
        between(
                () ->
                        assertThat(
                                        host.call(
                                                new ControlRequest.Split(
                                                        HostFixture.PARTITION,
                                                        1,
                                                        2,
                                                        1,
                                                        2,
                                                        SplitAim.OPERATOR)))
                                .isInstanceOf(ControlResponse.SplitAt.class));

        WriteResponse.ManyChanged page = page(ALL, INCREMENT, Optional.empty(), 100);
        long matched = page.matched();

        assertThat(page.refusal()).isEmpty();
        assertThat(matched).isLessThan(60);
        assertThat(page.next().orElseThrow().ahead()).hasSizeLessThanOrEqualTo(100);
        for (int range = 1; range <= 2; range++) {
            PartitionId child = new PartitionId(HostFixture.PARTITION.container(), range);
            Optional<CreationPlace> from = page.next();
            while (from.isPresent()) {
                WriteResponse.ManyChanged rest =
                        (WriteResponse.ManyChanged)
                                host.searched(
                                        request(child, ALL, INCREMENT, from, 7, HostFixture.MB));
                matched += rest.matched();
                from = rest.next();
            }
        }
        assertThat(matched).isEqualTo(60);
        for (int i = 0; i < 60; i++) {
            int child = i;
            assertThat(
                            IntStream.rangeClosed(1, 2)
                                    .mapToObj(range -> readAt(range, key(child, 20)))
                                    .flatMap(Optional::stream)
                                    .toList())
                    .containsExactly(body(i, 20, i + 1));
        }
    }

    private Optional<String> readAt(int range, ItemKey key) {
        PartitionResponse answer =
                host.call(
                        new ReadRequest.ReadItem(
                                new PartitionId(HostFixture.PARTITION.container(), range), key, 0));
        return answer instanceof ReadResponse.Found found
                ? Optional.of(found.item().body().toUtf8().replace('"', '\''))
                : Optional.empty();
    }

    @Test
    void aPageThatIsSentAgainWritesNothing() {
        create(30, 10);
        WriteRequest.ChangeMany request =
                request(
                        HostFixture.PARTITION,
                        ALL,
                        INCREMENT,
                        Optional.empty(),
                        100,
                        HostFixture.MB);
        host.call(request);

        WriteResponse.ManyChanged again = (WriteResponse.ManyChanged) host.searched(request);

        assertThat(again.refusal()).map(StepResult.Refused::code).contains(ErrorCode.TIMEOUT);
        assertThat(again.matched()).isZero();
        for (int i = 0; i < 30; i++) {
            assertThat(read(i, 10)).isEqualTo(body(i, 10, i + 1));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM c ORDER BY c.n",
                "SELECT TOP 3 * FROM c",
                "SELECT c.id FROM c",
                "SELECT COUNT(1) AS n FROM c"
            })
    void aSearchThatDoesNotReturnAllItemsIsRefused(String query) {
        create(3, 1);

        assertThat(
                        HostFixture.failureOf(
                                host.call(
                                        request(
                                                HostFixture.PARTITION,
                                                query,
                                                INCREMENT,
                                                Optional.empty(),
                                                10,
                                                HostFixture.MB))))
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }
}
