package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Engine;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;

/** Databases, containers and ranges that a request names and that are not there. */
final class OwnerTest {
    private static final RequestContext CONTEXT = EngineFixture.context();
    private static final ResourceRef NO_DATABASE = new ResourceRef.Named("no");
    private static final PageRequest PAGE = new PageRequest(OptionalInt.of(10), Optional.empty());

    @TempDir private Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        container = fixture.container("c", 20_000, "/pk");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static ErrorCode codeOf(ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call).code();
    }

    @Test
    void aMissingSubjectIsNotFound() {
        Engine engine = fixture.engine;
        ContainerRef missing = EngineFixture.ref("no");
        assertThat(codeOf(() -> engine.readDatabase(CONTEXT, NO_DATABASE)))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(codeOf(() -> engine.readContainer(CONTEXT, missing)))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(codeOf(() -> engine.deleteContainer(CONTEXT, missing, Precondition.NONE)))
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aMissingOwnerIsSaidToBeOne() {
        Engine engine = fixture.engine;
        ContainerRef below =
                new ContainerRef(NO_DATABASE, new ResourceRef.Named("c"), Optional.empty());
        ContainerRef missing = EngineFixture.ref("no");
        assertThat(codeOf(() -> engine.listContainers(CONTEXT, NO_DATABASE, PAGE)))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        assertThat(
                        codeOf(
                                () ->
                                        engine.createContainer(
                                                CONTEXT,
                                                NO_DATABASE,
                                                "c",
                                                EngineFixture.definition("/pk"),
                                                Optional.empty())))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        assertThat(codeOf(() -> engine.readContainer(CONTEXT, below)))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        assertThat(codeOf(() -> engine.readPartitionMap(CONTEXT, missing)))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        assertThat(codeOf(() -> engine.readOwner(CONTEXT, missing)))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
    }

    @Test
    void anyRangeThatExistsLeadsToTheItem() {
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}");
        for (int range = 0; range < 2; range++) {
            ContainerRef named = container.withRange(OptionalInt.of(range));
            assertThat(read(named).item()).isPresent();
            assertThat(modify(named).outcome()).isEqualTo(ItemAnswer.Outcome.REPLACED);
        }
    }

    @Test
    void aRangeThatDoesNotExistIsGone() {
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}");
        ContainerRef named = container.withRange(OptionalInt.of(2));
        assertThat(codeOf(() -> read(named))).isEqualTo(ErrorCode.RANGE_GONE);
        assertThat(codeOf(() -> modify(named))).isEqualTo(ErrorCode.RANGE_GONE);
        assertThat(
                        codeOf(
                                () ->
                                        fixture.engine.readItems(
                                                CONTEXT, named, new FeedScope.Everything(), PAGE)))
                .isEqualTo(ErrorCode.RANGE_GONE);
    }

    private ItemAnswer read(ContainerRef ref) {
        return fixture.engine.readItem(
                CONTEXT, ref, PartitionKey.ofText("a"), new ItemRef.Named("1"));
    }

    private ItemAnswer modify(ContainerRef ref) {
        return fixture.engine.writeItem(
                CONTEXT,
                ref,
                new ItemWrite.Modify(
                        new ItemRef.Named("1"),
                        PartitionKey.ofText("a"),
                        Bytes.ofUtf8("[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1}]"),
                        Precondition.NONE));
    }
}
