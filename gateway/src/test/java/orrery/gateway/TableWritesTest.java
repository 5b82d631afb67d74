package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.Item;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.query.table.TableDefinition;
import orrery.query.write.Images;
import orrery.query.write.MergeDialect;

/** The writes of the Table API on the engine. */
class TableWritesTest {
    private EngineFixture fixture;
    private ContainerRef table;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new EngineFixture(directory);
        table = fixture.container("t", 400, TableDefinition.DEFAULT);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Body entity(String partitionKey, String rowKey, String properties) {
        return Body.json(
                Bytes.ofUtf8(
                        "{\"id\":\"%s\",\"$id\":\"%s\",\"$pk\":\"%s\"%s}"
                                .formatted(rowKey, rowKey, partitionKey, properties)));
    }

    private static String number(String name, int value) {
        return ",\"%s\":{\"$t\":16,\"$v\":%d}".formatted(name, value);
    }

    private static PartitionKey key(String text) {
        return new PartitionKey(List.of(new KeyComponent.Text(text)));
    }

    private static ItemRef row(String text) {
        return new ItemRef.Named(text);
    }

    private ItemAnswer write(ItemWrite write) {
        return fixture.engine.items().writeItem(EngineFixture.context(), table, write);
    }

    private Item read(String partitionKey, String rowKey) {
        return fixture.engine
                .items()
                .readItem(EngineFixture.context(), table, key(partitionKey), row(rowKey))
                .item()
                .orElseThrow();
    }

    private static ItemWrite merge(
            Body body, String pk, String rk, boolean upsert, Precondition p) {
        return new ItemWrite.Evaluate(
                row(rk), key(pk), MergeDialect.evaluation(body), upsert, Images.NONE, p);
    }

    private void assertRefused(ItemWrite write, ErrorCode code) {
        assertThatThrownBy(() -> write(write))
                .isInstanceOfSatisfying(
                        OrreryException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    p   | r
                    ``  | r
                    p   | ``
                    ``  | ``
                    a b | it's + % & é 😀
                    p   | ends with a space `
                    """)
    void everyWriteOfAnEntity(String pk, String rk) {
        Etag created =
                write(new ItemWrite.Create(entity(pk, rk, number("a", 1)), Optional.of(key(pk))))
                        .item()
                        .orElseThrow()
                        .etag();
        assertThat(FileTime.ofEtag(created)).isPresent();
        assertRefused(
                new ItemWrite.Create(entity(pk, rk, ""), Optional.of(key(pk))), ErrorCode.CONFLICT);
        assertThat(read(pk, rk).etag()).isEqualTo(created);

        Etag merged =
                write(merge(entity(pk, rk, number("b", 2)), pk, rk, false, Precondition.NONE))
                        .item()
                        .orElseThrow()
                        .etag();
        assertThat(read(pk, rk).body())
                .isEqualTo(entity(pk, rk, number("a", 1) + number("b", 2)).bytes());
        assertThat(read(pk, rk).etag()).isEqualTo(merged);
        assertRefused(
                merge(entity(pk, rk, ""), pk, rk, false, new Precondition.Matches(created)),
                ErrorCode.PRECONDITION_FAILED);
        write(
                merge(
                        entity(pk, rk, number("a", 3)),
                        pk,
                        rk,
                        true,
                        new Precondition.Matches(merged)));
        assertThat(read(pk, rk).body())
                .isEqualTo(entity(pk, rk, number("a", 3) + number("b", 2)).bytes());

        Etag present = read(pk, rk).etag();
        assertRefused(
                new ItemWrite.Replace(
                        row(rk),
                        Optional.of(key(pk)),
                        entity(pk, rk, ""),
                        new Precondition.Matches(merged)),
                ErrorCode.PRECONDITION_FAILED);
        write(
                new ItemWrite.Replace(
                        row(rk),
                        Optional.of(key(pk)),
                        entity(pk, rk, number("c", 4)),
                        new Precondition.Matches(present)));
        assertThat(read(pk, rk).body()).isEqualTo(entity(pk, rk, number("c", 4)).bytes());
        write(
                new ItemWrite.Upsert(
                        entity(pk, rk, number("d", 5)), Optional.of(key(pk)), Precondition.NONE));
        assertThat(read(pk, rk).body()).isEqualTo(entity(pk, rk, number("d", 5)).bytes());

        assertRefused(
                new ItemWrite.Delete(row(rk), key(pk), new Precondition.Matches(present)),
                ErrorCode.PRECONDITION_FAILED);
        write(new ItemWrite.Delete(row(rk), key(pk), Precondition.NONE));
        assertRefused(
                merge(entity(pk, rk, ""), pk, rk, false, Precondition.NONE), ErrorCode.NOT_FOUND);
        write(merge(entity(pk, rk, number("e", 6)), pk, rk, true, Precondition.NONE));
        assertThat(read(pk, rk).body()).isEqualTo(entity(pk, rk, number("e", 6)).bytes());
    }

    @Test
    void writesOfABatchHaveTheirOwnEtags() {
        write(new ItemWrite.Create(entity("p", "1", number("a", 1)), Optional.of(key("p"))));
        BatchAnswer answer =
                batch(
                        new ItemWrite.Create(entity("p", "", ""), Optional.of(key("p"))),
                        new ItemWrite.Upsert(
                                entity("p", "2", ""), Optional.of(key("p")), Precondition.NONE),
                        merge(entity("p", "1", number("b", 2)), "p", "1", false, Precondition.NONE),
                        merge(entity("p", "3", ""), "p", "3", true, Precondition.NONE));
        assertThat(answer.isRefused()).isFalse();
        List<Etag> etags =
                answer.results().stream()
                        .map(result -> ((BatchAnswer.Result.Done) result).item().orElseThrow())
                        .map(Item::etag)
                        .toList();
        assertThat(etags)
                .extracting(etag -> FileTime.ofEtag(etag).orElseThrow().ticks())
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(read("p", "").etag()).isEqualTo(etags.get(0));
        assertThat(read("p", "1").body())
                .isEqualTo(entity("p", "1", number("a", 1) + number("b", 2)).bytes());
        assertThat(read("p", "3").etag()).isEqualTo(etags.get(3));
    }

    @Test
    void aRefusedBatchChangesNothing() {
        Etag before =
                write(new ItemWrite.Create(entity("p", "1", ""), Optional.of(key("p"))))
                        .item()
                        .orElseThrow()
                        .etag();
        BatchAnswer answer =
                batch(
                        merge(entity("p", "1", number("b", 2)), "p", "1", false, Precondition.NONE),
                        new ItemWrite.Create(entity("p", "2", ""), Optional.of(key("p"))),
                        new ItemWrite.Delete(row("3"), key("p"), Precondition.NONE));
        assertThat(answer.isRefused()).isTrue();
        assertThat(answer.results().get(2))
                .isInstanceOfSatisfying(
                        BatchAnswer.Result.Refused.class,
                        refused ->
                                assertThat(refused.failure().code())
                                        .isEqualTo(ErrorCode.NOT_FOUND));
        assertThat(read("p", "1").etag()).isEqualTo(before);
        assertThatThrownBy(() -> read("p", "2")).isInstanceOf(OrreryException.class);
    }

    private BatchAnswer batch(ItemWrite... writes) {
        return fixture.engine
                .items()
                .batch(
                        EngineFixture.context(),
                        table,
                        new ItemBatch.Atomic(
                                key("p"),
                                Arrays.stream(writes)
                                        .<BatchOperation>map(BatchOperation.Write::new)
                                        .toList()));
    }
}
