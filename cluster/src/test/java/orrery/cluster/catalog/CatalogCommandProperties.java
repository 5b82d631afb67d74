package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import orrery.cluster.api.AccountSettings;
import orrery.model.Bytes;
import orrery.model.ConsistencyLevel;
import orrery.model.ConsistencyPolicy;
import orrery.model.ContainerDefinition;
import orrery.model.EffectiveKey;
import orrery.model.Etag;
import orrery.model.IndexingPolicy;
import orrery.model.KeyRange;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.ScriptDefinition;
import orrery.model.ScriptDefinition.Trigger;
import orrery.model.Throughput;
import orrery.model.TriggerOperation;
import orrery.model.codec.MalformedRecordException;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.partition.api.SplitAim;

final class CatalogCommandProperties {
    static final ContainerDefinition DEFINITION =
            new ContainerDefinition(
                    new PartitionKeyDefinition(
                            List.of(PropertyPath.parse("/pk")),
                            PartitionKeyDefinition.Kind.HASH,
                            2,
                            false),
                    IndexingPolicy.DEFAULT,
                    ContainerDefinition.ConflictResolution.DEFAULT,
                    ContainerDefinition.Geospatial.GEOGRAPHY);

    private static final String A = "AAAAAAAAAAAAAAAAAAAAAA==";
    private static final String B = "BAAAAAAAAAAAAAAAAAAAAA==";
    private static final String C = "CAAAAAAAAAAAAAAAAAAAAA==";
    private static final String D = "DAAAAAAAAAAAAAAAAAAAAA==";

    private static final List<CatalogCommand> ONE_OF_EACH =
            List.of(
                    new CatalogCommand.SetUpAccount(
                            AccountIdentity.first(new UUID(1, 2)),
                            Bytes.wrap(new byte[] {1, 2, 3}),
                            AccountSettings.DEFAULT,
                            Optional.of(new AccountKeys(A, B, C, D))),
                    new CatalogCommand.CreateDatabase(
                            "d", Optional.of(new Throughput.Autoscale(4000)), 5),
                    new CatalogCommand.DeleteDatabase(1, new Precondition.Matches(new Etag(1, 2))),
                    new CatalogCommand.CreateContainer(
                            1,
                            "c",
                            DEFINITION,
                            Optional.of(new Throughput.Manual(400)),
                            List.of(KeyRange.FULL),
                            0,
                            5),
                    new CatalogCommand.ContainerReady(1, 1),
                    new CatalogCommand.ReplaceContainer(
                            1, DEFINITION, new Precondition.Exists(), 5),
                    new CatalogCommand.DeleteContainer(1, Precondition.NONE),
                    new CatalogCommand.ForgetContainer(1),
                    new CatalogCommand.ReplaceOffer(
                            1, new Throughput.Manual(500), Precondition.NONE, 5),
                    new CatalogCommand.BeginSplit(1, 0, SplitAim.STORAGE),
                    new CatalogCommand.BeginMerge(1, 2),
                    new CatalogCommand.PublishReshape(
                            1,
                            new Reshape.Split(0, 1, 2, 5, 6, SplitAim.THROUGHPUT),
                            Optional.of(EffectiveKey.ofHex("1FFF")),
                            7,
                            5),
                    new CatalogCommand.CancelReshape(1, new Reshape.Merge(1, 2, 3, 7)),
                    new CatalogCommand.CreateScript(
                            3,
                            new ScriptDefinition(
                                    ScriptDefinition.Kind.TRIGGER,
                                    "t",
                                    "() => {}",
                                    Optional.of(
                                            new Trigger(
                                                    ScriptDefinition.When.PRE,
                                                    TriggerOperation.CREATE))),
                            5),
                    new CatalogCommand.ReplaceScript(
                            4,
                            new ScriptDefinition(ScriptDefinition.Kind.PROCEDURE, "p", "() => {}"),
                            new Precondition.Exists(),
                            5),
                    new CatalogCommand.DeleteScript(4, Precondition.NONE),
                    new CatalogCommand.Redistribute(1, 5, List.of(0.75, 0.25)),
                    new CatalogCommand.CreateScript(
                            3,
                            new ScriptDefinition(
                                    ScriptDefinition.Kind.TRIGGER,
                                    "t",
                                    "() => {}",
                                    Optional.of(new Trigger("post", "delete"))),
                            5),
                    new CatalogCommand.ChangeSettings(
                            AccountSettings.DEFAULT,
                            AccountSettings.DEFAULT.withConsistency(
                                    new ConsistencyPolicy(
                                            ConsistencyLevel.BOUNDED_STALENESS, 1000, 60))),
                    new CatalogCommand.ReplaceKeys(
                            Map.of(KeyKind.SECONDARY_READONLY, D, KeyKind.PRIMARY, A)));

    @Test
    void everyCommandComesBackAsItWas() {
        for (CatalogCommand command : ONE_OF_EACH) {
            assertThat(CatalogCommand.decode(CatalogCommand.encode(command))).isEqualTo(command);
        }
    }

    /** Changing these bytes breaks logs that exist: it needs a new version. */
    @Test
    void bytesAreFrozen() {
        assertThat(CatalogCommand.encode(ONE_OF_EACH.get(1)).toHex())
                .isEqualTo("030201640101" + "00000FA0" + "0000000000000005");
        assertThat(CatalogCommand.encode(ONE_OF_EACH.get(4)).toHex())
                .isEqualTo("03050000000100000001");
        assertThat(CatalogCommand.encode(ONE_OF_EACH.get(8)).toHex())
                .isEqualTo("03090000000100000001F4" + "00" + "0000000000000005");
        assertThat(CatalogCommand.encode(ONE_OF_EACH.get(13)).toHex())
                .isEqualTo("030F00000003" + "010174082829203D3E207B7D010001" + "0000000000000005");
        assertThat(CatalogCommand.encode(ONE_OF_EACH.get(15)).toHex()).isEqualTo("03110000000400");
        assertThat(CatalogCommand.encode(ONE_OF_EACH.get(17)).toHex())
                .isEqualTo(
                        "030F00000003"
                                + "010174082829203D3E207B7D"
                                + "0204706F73740664656C657465"
                                + "0000000000000005");
        String settings = "00002710000000050000000000020000000C80000000010000";
        assertThat(CatalogCommand.encode(ONE_OF_EACH.getFirst()).toHex())
                .isEqualTo(
                        "0312"
                                + "0000000000000001000000000000000200000001"
                                + "00"
                                + "03010203"
                                + settings
                                + "020000006400000005"
                                + "01"
                                + ("18" + hex(A) + "18" + hex(B) + "18" + hex(C) + "18" + hex(D)));
        assertThat(CatalogCommand.encode(ONE_OF_EACH.get(18)).toHex())
                .isEqualTo(
                        "0313" + settings + "020000006400000005" + settings + "01000003E80000003C");
        assertThat(CatalogCommand.encode(ONE_OF_EACH.get(19)).toHex())
                .isEqualTo("0314" + "02" + "0018" + hex(A) + "0318" + hex(D));
        assertThat(CatalogCommand.encode(ONE_OF_EACH.get(16)).toHex())
                .isEqualTo(
                        "030E000000010000000000000005"
                                + "02"
                                + "3FE8000000000000"
                                + "3FD0000000000000");
    }

    private static String hex(String text) {
        return Bytes.ofUtf8(text).toHex();
    }

    /** Nobody reads them in a log. */
    @Test
    void keysAreNotPrinted() {
        for (CatalogCommand command : ONE_OF_EACH) {
            assertThat(command.toString()).doesNotContain(A, B, C, D);
        }
    }

    @Property(tries = 2000)
    void randomBytesAreMalformedOrACommand(@ForAll byte[] bytes) {
        try {
            CatalogCommand.decode(Bytes.wrap(bytes));
        } catch (MalformedRecordException expected) {
            assertThat(expected).hasMessageContaining("");
        }
    }

    @Test
    void truncatedCommandsAreMalformed() {
        for (CatalogCommand command : ONE_OF_EACH) {
            byte[] whole = CatalogCommand.encode(command).unsafeArray();
            for (int length = 0; length < whole.length; length++) {
                Bytes cut = Bytes.copyOf(whole, 0, length);
                assertThat(catchThrowable(() -> CatalogCommand.decode(cut)))
                        .isInstanceOf(MalformedRecordException.class);
            }
        }
    }
}
