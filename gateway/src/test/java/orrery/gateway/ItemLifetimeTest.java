package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;

/** Items say something of their own end in a container where none expires. */
@Timeout(900)
class ItemLifetimeTest {
    private static final PartitionKey KEY = PartitionKey.ofText("a");
    private static final List<String> NO_LIFETIMES =
            List.of("0", "-2", "2147483648", "0.5", "\"1\"", "null", "{}");

    @TempDir Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        container = fixture.container("c", 400, "/pk");
        fixture.create(container, json("1", "-1"));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String json(String id, String lifetime) {
        return "{\"id\":\"%s\",\"pk\":\"a\",\"ttl\":%s}".formatted(id, lifetime);
    }

    @Test
    void aWriteOfWhatIsNoLifetimeIsRefused() {
        for (String lifetime : NO_LIFETIMES) {
            assertThatThrownBy(() -> fixture.create(container, json("2", lifetime)))
                    .hasMessageContaining("The input ttl '" + lifetime + "' is invalid.");
        }
        fixture.create(container, json("2", "2147483647"));
    }

    @Test
    void soIsAPatchThatMakesIt() {
        assertThatThrownBy(
                        () ->
                                fixture.engine
                                        .items()
                                        .writeItem(
                                                EngineFixture.context(),
                                                container,
                                                new ItemWrite.Evaluate(
                                                        new ItemRef.Named("1"),
                                                        KEY,
                                                        EngineFixture.patch(
                                                                "[{\"op\":\"set\",\"path\":\"/ttl\",\"value\":0}]"),
                                                        Precondition.NONE)))
                .hasMessageContaining("The input ttl '0' is invalid.");
    }

    @Test
    void soIsABatchThatHoldsIt() {
        BatchAnswer answer =
                fixture.engine
                        .items()
                        .batch(
                                EngineFixture.context(),
                                container,
                                new ItemBatch.Atomic(
                                        KEY,
                                        List.of(
                                                new BatchOperation.Write(
                                                        new ItemWrite.Create(
                                                                Bytes.ofUtf8(json("2", "0")),
                                                                Optional.empty())))));

        assertThat(answer.isRefused()).isTrue();
    }

    @Test
    void soIsAScriptThatWritesIt() {
        fixture.engine
                .resources()
                .scripts()
                .create(
                        EngineFixture.context(),
                        container,
                        new ScriptDefinition(
                                ScriptDefinition.Kind.PROCEDURE,
                                "write",
                                """
                                function () {
                                    __.createDocument(__.getSelfLink(), {id: '2', pk: 'a', ttl: 0},
                                        function (err) { if (err) throw new Error(err.body); });
                                }"""));

        assertThatThrownBy(
                        () ->
                                fixture.engine
                                        .items()
                                        .execute(
                                                EngineFixture.context(),
                                                container,
                                                KEY,
                                                new ResourceRef.Named("write"),
                                                Bytes.ofUtf8("[]"),
                                                false))
                .hasMessageContaining("The input ttl '0' is invalid.");
    }
}
