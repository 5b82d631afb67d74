package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.Keys;

/** The level of a catalog, and what a later release may leave in its records. */
final class CatalogLevelTest {
    private MachineFixture catalog;

    @BeforeEach
    void open(@TempDir Path directory) {
        catalog = new MachineFixture(directory);
    }

    @AfterEach
    void close() {
        catalog.close();
    }

    private AppliedRecord applied() {
        return AppliedRecord.decode(
                Objects.requireNonNull(catalog.store().get(Table.META, Keys.applied())));
    }

    @Test
    void aCatalogOfAnUnknownLevelIsNotOpened() {
        catalog.put(Keys.applied(), applied().withLevel(7).encode());

        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(catalog::restart)
                .withMessageContaining("feature level 7")
                .withMessageContaining("up to 1");
    }

    @Test
    void commandsLeaveTheLevelAsItIs() {
        catalog.apply(new ResourceCommand.CreateDatabase("d", Optional.empty()));

        assertThat(applied().level()).isEqualTo(CatalogLevel.FIRST.number());
    }

    @Test
    void aCodeOfALaterReleaseKeepsItsText() {
        Bytes later =
                new BinaryWriter(64)
                        .u8(CatalogOutcome.Kind.REJECTED.number())
                        .string("SOMETHING_OF_LATER")
                        .string("It is too late for that.")
                        .toBytes();

        assertThat(CatalogOutcome.read(new BinaryReader(later)))
                .isEqualTo(
                        new CatalogOutcome.Rejected(
                                ErrorCode.INTERNAL, "It is too late for that."));
    }

    @Test
    void everyCodeOfThisReleaseIsReadAsItself() {
        for (ErrorCode code : ErrorCode.values()) {
            CatalogOutcome rejected = new CatalogOutcome.Rejected(code, "No.");
            BinaryWriter out = new BinaryWriter(64);
            CatalogOutcome.write(out, rejected);

            assertThat(CatalogOutcome.read(new BinaryReader(out.toBytes()))).isEqualTo(rejected);
        }
    }
}
