package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import orrery.model.ContainerKind.EtagScheme;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

final class ContainerKindTest {
    /** Their places are stored. */
    @Test
    void kindsKeepTheirPlaces() {
        assertThat(ContainerKind.values())
                .containsExactly(
                        ContainerKind.DOCUMENT,
                        ContainerKind.MONGODB,
                        ContainerKind.TABLE,
                        ContainerKind.GRAPH);
    }

    @Test
    void onlyMongoKeepsBsonAndLargerItems() {
        for (ContainerKind kind : ContainerKind.values()) {
            boolean isMongo = kind == ContainerKind.MONGODB;
            assertThat(kind.encoding()).isEqualTo(isMongo ? Encoding.BSON : Encoding.JSON);
            assertThat(kind.limits().maxItemBytes()).isEqualTo(isMongo ? 16 << 20 : 2 << 20);
        }
        assertThat(ContainerKind.DOCUMENT.limits()).isEqualTo(SizeLimits.DEFAULT);
        assertThat(ContainerKind.TABLE.etags()).isEqualTo(EtagScheme.FILE_TIME);
    }

    @Test
    void aDefinitionKeepsItsKind() {
        for (ContainerKind kind : ContainerKind.values()) {
            ContainerDefinition plain =
                    new ContainerDefinition(
                                    new PartitionKeyDefinition(
                                            List.of(PropertyPath.parse("/pk")),
                                            PartitionKeyDefinition.Kind.HASH,
                                            2,
                                            false),
                                    IndexingPolicy.DEFAULT,
                                    ContainerDefinition.ConflictResolution.DEFAULT,
                                    ContainerDefinition.Geospatial.GEOMETRY)
                            .withKind(kind);
            for (ContainerDefinition definition : List.of(plain, plain.withChangeRetention(5))) {
                BinaryWriter out = new BinaryWriter();
                definition.write(out);
                BinaryReader in = new BinaryReader(out.toBytes());
                assertThat(ContainerDefinition.read(in)).isEqualTo(definition);
                in.expectEnd();
            }
        }
    }

    @Test
    void everyLimitHoldsTheOnesBelowIt() {
        for (ContainerKind kind : ContainerKind.values()) {
            SizeLimits limits = kind.limits();
            assertThat(limits.maxRequestBytes()).isGreaterThan(limits.maxItemBytes());
            assertThat(limits.maxPageBytes()).isGreaterThanOrEqualTo(2 * limits.maxItemBytes());
            assertThat(limits.maxTransactionBytes()).isGreaterThan(limits.maxPageBytes());
            assertThat(limits.maxItemBytes())
                    .isLessThanOrEqualTo(SizeLimits.LARGEST.maxItemBytes());
            assertThat(SizeLimits.MAX_COMMAND_BYTES).isGreaterThan(limits.maxTransactionBytes());
        }
        assertThat(SizeLimits.PACKED_ENTRY_BYTES).isLessThan(SizeLimits.MAX_COMMAND_BYTES);
        assertThat(SizeLimits.MAX_PENDING_BYTES).isGreaterThan(SizeLimits.MAX_COMMAND_BYTES);
        assertThat(SizeLimits.MAX_MESSAGE_BYTES).isGreaterThan(SizeLimits.MAX_COMMAND_BYTES);
    }

    /** Clients of documents know these numbers. */
    @Test
    void documentsKeepTheLimitsOfTheService() {
        assertThat(SizeLimits.DEFAULT.maxItemBytes()).isEqualTo(2 << 20);
        assertThat(SizeLimits.DEFAULT.maxRequestBytes()).isEqualTo(2_621_440);
        assertThat(SizeLimits.DEFAULT.maxPageBytes()).isEqualTo(4 << 20);
        assertThat(SizeLimits.DEFAULT.maxScriptBytes()).isEqualTo(256 << 10);
        assertThat(SizeLimits.DEFAULT.bulkBytes()).isEqualTo(1 << 20);
        assertThat(SizeLimits.PACKED_ENTRY_BYTES).isEqualTo(1 << 20);
        assertThat(SizeLimits.MAX_PENDING_BYTES).isEqualTo(64 << 20);
    }

    @Test
    void aMessageAtTheLimitIsSentAndOnePastItIsNot() {
        SizeLimits.checkMessage(SizeLimits.MAX_MESSAGE_BYTES);

        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> SizeLimits.checkMessage(SizeLimits.MAX_MESSAGE_BYTES + 1L))
                .withMessageContaining("A message between nodes");
    }
}
