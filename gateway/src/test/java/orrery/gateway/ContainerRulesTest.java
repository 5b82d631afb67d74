package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemValidator;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;

/** Each limit at the limit and one past it. */
final class ContainerRulesTest {
    private static ContainerDefinition with(UniqueKey... keys) {
        return EngineFixture.definition("/pk").withUniqueKeys(List.of(keys));
    }

    private static UniqueKey unique(String... paths) {
        return new UniqueKey(List.of(paths).stream().map(PropertyPath::parse).toList());
    }

    private static UniqueKey ofPaths(int count) {
        return unique(IntStream.range(0, count).mapToObj(i -> "/a/p" + i).toArray(String[]::new));
    }

    private static UniqueKey[] keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> unique("/k" + i)).toArray(UniqueKey[]::new);
    }

    private static void assertAllowed(ContainerDefinition definition) {
        assertThatCode(() -> ContainerRules.checkCreate(definition, false))
                .doesNotThrowAnyException();
    }

    private static void assertRefused(ContainerDefinition definition, String text) {
        assertSays(() -> ContainerRules.checkCreate(definition, false), text);
    }

    private static void assertSays(Runnable check, String text) {
        OrreryException failure = catchThrowableOfType(OrreryException.class, check::run);
        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failure.text()).contains(text);
    }

    private static ContainerDefinition validated(ContainerKind kind, int bytes) {
        Bytes plain = BsonCodec.write(Value.Obj.of("n", Value.of(""), "m", Value.of(1)));
        Value fill = Value.of("f".repeat(bytes - plain.length()));
        Bytes filter = BsonCodec.write(Value.Obj.of("n", fill, "m", Value.of(1)));
        return EngineFixture.definition("/pk")
                .withKind(kind)
                .withValidator(
                        Optional.of(
                                new ItemValidator(
                                        filter,
                                        ItemValidator.Level.STRICT,
                                        ItemValidator.Action.ERROR)));
    }

    @Test
    void onlyCollectionsHaveAValidatorAndItHasABound() {
        assertAllowed(validated(ContainerKind.MONGODB, ItemValidator.MAX_FILTER_BYTES));
        assertRefused(
                validated(ContainerKind.MONGODB, ItemValidator.MAX_FILTER_BYTES + 1),
                "more than 65536 bytes");
        assertRefused(validated(ContainerKind.DOCUMENT, 100), "of the kind MongoDB");
        assertRefused(validated(ContainerKind.TABLE, 100), "of the kind MongoDB");
    }

    @Test
    void aContainerHasTenUniqueKeysOfSixteenPaths() {
        assertAllowed(with(keys(10)));
        assertRefused(with(keys(11)), "at most 10 unique keys");
        assertAllowed(with(ofPaths(16)));
        assertRefused(with(ofPaths(17)), "at most 16 paths");
        assertRefused(with(unique()), "at least one path");
    }

    @Test
    void aUniqueKeyNamesPropertiesOfTheItemOnce() {
        assertRefused(with(unique("/a", "/b", "/a")), "same path twice");
        assertRefused(with(unique("/a"), unique("/a")), "same paths");
        assertRefused(with(unique("/_ts")), "property of the system");
        assertAllowed(with(unique("/a"), unique("/a", "/b")));
    }

    @Test
    void aKeyHasOnePathOrUpToThreeLevels() {
        assertRefused(
                keyed(PartitionKeyDefinition.Kind.MULTI_HASH, 4),
                "Too many partition key paths (4) specified. A maximum of 3 is allowed.");
        assertRefused(
                keyed(PartitionKeyDefinition.Kind.HASH, 2),
                "Too many partition key paths (2) specified. A maximum of 1 is allowed.");
        assertAllowed(keyed(PartitionKeyDefinition.Kind.MULTI_HASH, 3));
        assertAllowed(keyed(PartitionKeyDefinition.Kind.HASH, 1));
    }

    private static ContainerDefinition keyed(PartitionKeyDefinition.Kind kind, int paths) {
        return new ContainerDefinition(
                new PartitionKeyDefinition(ofPaths(paths).paths(), kind, 2, false),
                IndexingPolicy.DEFAULT,
                ContainerDefinition.ConflictResolution.DEFAULT,
                ContainerDefinition.Geospatial.GEOGRAPHY);
    }

    @Test
    void whatIsNotIndexedCannotExpire() {
        IndexingPolicy none =
                new IndexingPolicy(
                        IndexingPolicy.Mode.NONE,
                        false,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of());
        ContainerDefinition plain = EngineFixture.definition("/pk");
        ContainerDefinition unindexed =
                new ContainerDefinition(
                        plain.partitionKey(), none, plain.conflictResolution(), plain.geospatial());

        assertAllowed(unindexed);
        assertAllowed(plain.withTimeToLive(TimeToLive.BY_ITEM));
        assertRefused(unindexed.withTimeToLive(TimeToLive.BY_ITEM), "indexing mode none");
        assertSays(
                () ->
                        ContainerRules.checkReplace(
                                plain.withTimeToLive(TimeToLive.BY_ITEM),
                                unindexed.withTimeToLive(TimeToLive.BY_ITEM)),
                "indexing mode none");
    }

    @Test
    void uniqueKeysStayAsTheyWereCreated() {
        ContainerRules.checkReplace(with(unique("/a")), with(unique("/a")));
        assertSays(
                () -> ContainerRules.checkReplace(with(unique("/a")), with(unique("/b"))),
                "Unique index cannot be modified");
        assertSays(
                () -> ContainerRules.checkReplace(with(unique("/a")), with()),
                "Unique index cannot be modified");
        assertSays(
                () -> ContainerRules.checkReplace(with(), with(unique("/b"))),
                "Unique index cannot be modified");
    }
}
