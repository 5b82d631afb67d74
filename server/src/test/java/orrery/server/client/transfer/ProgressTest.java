package orrery.server.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    private final StringWriter err = new StringWriter();
    private Instant now = Instant.EPOCH;
    private long read;

    private Progress progress(boolean isTerminal) {
        return new Progress(
                new PrintWriter(err, true),
                () -> now,
                isTerminal,
                new Progress.Source(() -> read, OptionalLong.of(1000)));
    }

    @Test
    void aTerminalHasOneLineThatChanges() {
        Progress progress = progress(true);
        progress.tick();
        assertThat(err.toString()).isEmpty();
        for (int i = 0; i < 4; i++) {
            progress.carried(512);
        }
        progress.charged(20.4);
        progress.throttled();
        read = 250;
        now = now.plusSeconds(2);
        progress.tick();
        progress.tick();
        assertThat(err.toString())
                .isEqualTo(
                        "\r\u001b[K4 items, 2.0 KB, 2 items/s, 20 RU, 1 throttled, 25%, 6 s left");
        progress.rejected("orrery: Line 3 is rejected");
        assertThat(err.toString())
                .endsWith("left\r\u001b[Korrery: Line 3 is rejected" + System.lineSeparator());
        progress.clear();
        assertThat(err.toString()).endsWith(System.lineSeparator());
        read = 1000;
        assertThat(progress.describe()).endsWith("1 throttled, 1 rejected");
    }

    @Test
    void elsewhereALineComesNowAndThen() {
        Progress progress = progress(false);
        now = now.plusSeconds(9);
        progress.tick();
        assertThat(err.toString()).isEmpty();
        now = now.plusSeconds(1);
        progress.tick();
        now = now.plusSeconds(1);
        progress.tick();
        assertThat(err.toString())
                .isEqualTo("0 items, 0.0 KB, 0 items/s, 0 RU" + System.lineSeparator());
    }
}
