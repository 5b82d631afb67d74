package orrery.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;

/** The bytes of an entry, with texts for commands. */
final class LogEntryTest {
    private static final LogEntry<String> ENTRY =
            new LogEntry<>(1, 42, 1_800_000_000_123L, 3, List.of("a", "bc"));
    private static final String GOLDEN =
            "01"
                    + "00000001"
                    + "000000000000002A"
                    + "000001A3185C507B"
                    + "0000000000000003"
                    + "02"
                    + "0161"
                    + "026263";

    @Test
    void bytesStay() {
        Bytes bytes = ENTRY.encode(Bytes::ofUtf8);
        assertThat(bytes.toHex()).startsWith(GOLDEN).hasSize(GOLDEN.length() + 8);
        assertThat(LogEntry.decode(bytes, Bytes::toUtf8)).isEqualTo(ENTRY);
    }

    @Test
    void everyDamageIsFound() {
        byte[] bytes = ENTRY.encode(Bytes::ofUtf8).unsafeArray();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThatThrownBy(() -> LogEntry.decode(Bytes.wrap(damaged), Bytes::toUtf8))
                    .isInstanceOf(MalformedRecordException.class);
        }
        for (int length = 0; length < bytes.length; length++) {
            Bytes cut = Bytes.copyOf(bytes, 0, length);
            assertThatThrownBy(() -> LogEntry.decode(cut, Bytes::toUtf8))
                    .isInstanceOf(MalformedRecordException.class);
        }
    }
}
