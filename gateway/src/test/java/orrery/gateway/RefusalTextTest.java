package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.Bytes;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;

/** Sentences that the suites of clients look for. */
@Timeout(900)
class RefusalTextTest {
    private static final PartitionKey KEY = PartitionKey.ofText("a");

    @TempDir Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        container =
                fixture.container(
                        "c", 400, EngineFixture.definition("/pk").withChangeRetention(60));
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String refusal(Runnable request) {
        return catchThrowableOfType(OrreryException.class, request::run).text();
    }

    private void patch(String id) {
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Evaluate(
                                new ItemRef.Named(id),
                                KEY,
                                EngineFixture.patch(
                                        "[{\"op\":\"add\",\"path\":\"/parent/child\",\"value\":1}]"),
                                Precondition.NONE));
    }

    private void batch(PartitionKey key, int operations) {
        fixture.engine
                .items()
                .batch(
                        EngineFixture.context(),
                        container,
                        new ItemBatch.Atomic(
                                key,
                                Collections.nCopies(
                                        operations,
                                        new BatchOperation.Read(
                                                "1", KEY, new Precondition.Impossible()))));
    }

    @Test
    void ofPatches() {
        assertThat(refusal(() -> patch("2"))).contains("Resource Not Found");
        assertThat(refusal(() -> patch("1"))).contains("no path found beyond: 'parent'");
    }

    @Test
    void ofBatches() {
        assertThat(refusal(() -> batch(KEY, 0))).contains("Batch request has no operations.");
        assertThat(refusal(() -> batch(KEY, 101)))
                .contains("Batch request has more operations than what is supported.");
        assertThat(refusal(() -> batch(PartitionKey.of(KeyComponent.TRUE, KeyComponent.TRUE), 1)))
                .contains(
                        "doesn't match partition key field values specified in the document. The"
                                + " container's key has 1 components.");
    }

    @Test
    void ofVersionsFromTheBeginning() {
        assertThat(
                        refusal(
                                () ->
                                        fixture.engine
                                                .items()
                                                .readVersions(
                                                        EngineFixture.context(),
                                                        container,
                                                        new FeedScope.Everything(),
                                                        ChangeRequest.FROM_BEGINNING)))
                .startsWith("You must read the change feed from within the retention period.");
    }

    @Test
    void ofVersionsThatAreNotKept() {
        ContainerRef without = fixture.container("without", 400, "/pk");
        assertThat(
                        refusal(
                                () ->
                                        fixture.engine
                                                .items()
                                                .readVersions(
                                                        EngineFixture.context(),
                                                        without,
                                                        new FeedScope.Everything(),
                                                        ChangeRequest.FROM_NOW)))
                .contains("All Versions and Deletes")
                .contains("must be enabled");
    }

    @Test
    void ofWhatIsTooLarge() {
        String large = "{\"id\":\"2\",\"pk\":\"a\",\"s\":\"" + "x".repeat(2 << 20) + "\"}";
        assertThat(
                        refusal(
                                () ->
                                        fixture.engine
                                                .items()
                                                .writeItem(
                                                        EngineFixture.context(),
                                                        container,
                                                        new ItemWrite.Create(
                                                                Bytes.ofUtf8(large),
                                                                Optional.of(KEY)))))
                .isEqualTo("Request size is too large");
    }

    @Test
    void ofAnItemThatIsNotThere() {
        assertThat(
                        refusal(
                                () ->
                                        fixture.engine
                                                .items()
                                                .readItem(
                                                        EngineFixture.context(),
                                                        container,
                                                        KEY,
                                                        new ItemRef.Named("2"))))
                .startsWith("Entity with the specified id does not exist in the system.");
    }

    @Test
    void ofOperationsOfAnotherKey() {
        BatchAnswer answer =
                fixture.engine
                        .items()
                        .batch(
                                EngineFixture.context(),
                                container,
                                new ItemBatch.Atomic(
                                        PartitionKey.ofText("b"),
                                        List.of(
                                                new BatchOperation.Read(
                                                        "1", KEY, new Precondition.Impossible()))));
        assertThat(answer.results().getFirst())
                .isInstanceOfSatisfying(
                        BatchAnswer.Result.Refused.class,
                        refused ->
                                assertThat(refused.failure().text())
                                        .contains("have a different partition key value"));
    }
}
