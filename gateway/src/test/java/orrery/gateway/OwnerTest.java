package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ResourceRef;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;

/** Databases, containers and ranges that a request names and that are not there. */
final class OwnerTest {
    private static final RequestContext CONTEXT = EngineFixture.context();
    private static final ResourceRef NO_DATABASE = new ResourceRef.Named("no");

    @TempDir private Path directory;
    private EngineFixture fixture;
    private ContainerRef.Addressed container;

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
        Gateway engine = fixture.engine;
        ContainerRef missing = EngineFixture.ref("no");
        assertThat(codeOf(() -> engine.resources().readDatabase(CONTEXT, NO_DATABASE)))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(codeOf(() -> engine.resources().readContainer(CONTEXT, missing)))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(
                        codeOf(
                                () ->
                                        engine.resources()
                                                .deleteContainer(
                                                        CONTEXT, missing, Precondition.NONE)))
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aMissingOwnerIsSaidToBeOne() {
        Gateway engine = fixture.engine;
        ContainerRef below = new ContainerRef.Addressed(NO_DATABASE, new ResourceRef.Named("c"));
        ContainerRef.Addressed missing = EngineFixture.ref("no");
        assertThat(codeOf(() -> engine.resources().resolve(CONTEXT, NO_DATABASE)))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        assertThat(
                        codeOf(
                                () ->
                                        engine.resources()
                                                .createContainer(
                                                        CONTEXT,
                                                        NO_DATABASE,
                                                        "c",
                                                        EngineFixture.definition("/pk"),
                                                        Optional.empty())))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        assertThat(codeOf(() -> engine.resources().readContainer(CONTEXT, below)))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        assertThat(codeOf(() -> engine.resources().readPartitionMap(CONTEXT, missing)))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        assertThat(
                        codeOf(
                                () ->
                                        engine.resources()
                                                .resolve(
                                                        CONTEXT, missing, ContainerRef.Role.OWNER)))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
    }

    @Test
    void aMissingContainerIsReportedByItsRole() {
        ContainerRef.Addressed missing = EngineFixture.ref("no");
        assertThat(
                        codeOf(
                                () ->
                                        fixture.engine
                                                .resources()
                                                .resolve(
                                                        CONTEXT,
                                                        missing,
                                                        ContainerRef.Role.SUBJECT)))
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void theDoorReturnsWhatItFound() {
        ContainerRef.Resolved found =
                fixture.engine.resources().resolve(CONTEXT, container, ContainerRef.Role.OWNER);
        assertThat(found.database().name()).isEqualTo("d");
        assertThat(found.container())
                .isEqualTo(fixture.engine.resources().readContainer(CONTEXT, container));
        assertThat(found.map().require(1).range()).isEqualTo(1);
        assertThat(codeOf(() -> found.map().require(2))).isEqualTo(ErrorCode.RANGE_GONE);
    }

    @Test
    void whatWasFoundIsNotLookedUpAgain() {
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}");
        ContainerRef.Resolved found =
                fixture.engine.resources().resolve(CONTEXT, container, ContainerRef.Role.OWNER);
        assertThat(read(found).item()).isPresent();

        fixture.engine.resources().deleteContainer(CONTEXT, found, Precondition.NONE);
        fixture.container("c", 400, "/pk");
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}");
        assertThat(read(container).item()).isPresent();
        assertThat(codeOf(() -> read(found)).status()).isEqualTo(404);
    }

    private ItemAnswer read(ContainerRef ref) {
        return fixture.engine
                .items()
                .readItem(CONTEXT, ref, PartitionKey.ofText("a"), new ItemRef.Named("1"));
    }
}
