package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.ScriptDefinition;
import orrery.model.Throughput;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.PermissionMode;
import orrery.partition.api.SplitAim;
import orrery.storage.format.Keys;

/**
 * Two replicas of a catalog come to the same rows: one applies requests as they are, the other what
 * comes out of their bytes, and is restarted now and then.
 */
final class CatalogReplicasTest {
    private static final int REQUESTS = 120;

    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void replicasAgree(long seed) {
        Random random = new Random(seed);
        try (MachineFixture one = new MachineFixture(directory.resolve("one"));
                MachineFixture other = new MachineFixture(directory.resolve("other"))) {
            List<CatalogRequest> sent = new ArrayList<>();
            long millis = CatalogSamples.STAMP;
            for (int i = 0; i < REQUESTS; i++) {
                millis += random.nextInt(-1000, 5000);
                boolean isResend = !sent.isEmpty() && random.nextInt(4) == 0;
                CatalogRequest before =
                        isResend
                                ? sent.get(random.nextInt(sent.size()))
                                : new CatalogRequest(new RequestId(8, i), 0, command(random, one));
                CatalogRequest request = new CatalogRequest(before.id(), millis, before.command());
                sent.add(request);

                CatalogOutcome outcome = one.apply(request);

                assertThat(other.apply(CatalogRequest.decode(request.encode()))).isEqualTo(outcome);
                if (random.nextInt(10) == 0) {
                    other.restart();
                }
            }
            assertThat(one.rows(Keys.catalog())).isEqualTo(other.rows(Keys.catalog()));
            assertThat(one.rows(Keys.applied())).isEqualTo(other.rows(Keys.applied()));
            assertThat(one.state().requests().size()).isEqualTo(other.state().requests().size());
        }
    }

    private static CatalogCommand command(Random random, MachineFixture catalog) {
        int container = random.nextInt(1, 4);
        Optional<Reshape> reshape = catalog.state().reshape(container);
        if (reshape.isPresent() && random.nextInt(3) == 0) {
            return random.nextBoolean()
                    ? new RangeCommand.CancelReshape(container, reshape.get())
                    : publish(container, reshape.get());
        }
        return switch (random.nextInt(15)) {
            case 0 ->
                    new ResourceCommand.CreateDatabase(
                            "d" + random.nextInt(2), Optional.of(new Throughput.Manual(400)));
            case 1, 2 -> MachineFixture.container("c" + random.nextInt(3), 2);
            case 3, 4 -> new ResourceCommand.ContainerReady(container, random.nextInt(1, 4));
            case 5 ->
                    new ResourceCommand.ReplaceContainer(
                            container,
                            CatalogSamples.DEFINITION.withChangeRetention(random.nextInt(9)),
                            Precondition.NONE);
            case 6 -> new RangeCommand.BeginSplit(container, random.nextInt(4), SplitAim.OPERATOR);
            case 7 -> new RangeCommand.BeginMerge(container, random.nextInt(4));
            case 8 ->
                    new ScriptCommand.CreateScript(
                            container,
                            new ScriptDefinition(
                                    ScriptDefinition.Kind.PROCEDURE, "s" + random.nextInt(3), "1"));
            case 9 ->
                    new ResourceCommand.ReplaceOffer(
                            1, new Throughput.Manual(500), Precondition.NONE);
            case 10, 11, 12, 13 -> access(random);
            default ->
                    random.nextInt(4) > 0
                            ? new ResourceCommand.ForgetContainer(container)
                            : new ResourceCommand.DeleteContainer(container, Precondition.NONE);
        };
    }

    private static CatalogCommand access(Random random) {
        int number = random.nextInt(1, 8);
        boolean upserts = random.nextBoolean();
        return switch (random.nextInt(7)) {
            case 0, 1 ->
                    new AccessCommand.CreateUser(
                            1, "u" + random.nextInt(3), upserts, Precondition.NONE);
            case 2, 3 ->
                    new AccessCommand.CreatePermission(
                            number, permission(random), upserts, Precondition.NONE);
            case 4 ->
                    new AccessCommand.ReplacePermission(
                            number, permission(random), Precondition.NONE);
            case 5 ->
                    new AccessCommand.ReplaceUser(
                            number, "u" + random.nextInt(4), Precondition.NONE);
            default ->
                    upserts
                            ? new AccessCommand.DeleteUser(number, Precondition.NONE)
                            : new AccessCommand.CreateClientEncryptionKey(
                                    1, CatalogSamples.CLIENT_ENCRYPTION_KEY);
        };
    }

    private static PermissionDefinition permission(Random random) {
        return new PermissionDefinition(
                "p" + random.nextInt(3),
                PermissionMode.READ,
                "dbs/d0/colls/c" + random.nextInt(3),
                Optional.empty());
    }

    /** Only partitions know where they can be cut, so splits are given up. */
    private static CatalogCommand publish(int container, Reshape reshape) {
        return switch (reshape) {
            case Reshape.Merge _ ->
                    new RangeCommand.PublishReshape(container, reshape, Optional.empty(), 1);
            case Reshape.Split split -> new RangeCommand.CancelReshape(container, split);
        };
    }
}
