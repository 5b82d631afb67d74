package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class FileTimeTest {
    private static final long MILLIS = Instant.parse("2026-01-02T03:04:05.678Z").toEpochMilli();

    @Test
    void isPrintedLikeTheService() {
        FileTime time = FileTime.ofMillis(MILLIS);

        assertThat(time.ticks()).isEqualTo(0x01dc7b9474a774e0L);
        assertThat(time.toEtag().quoted()).isEqualTo("\"00000000-0000-0000-7b94-74a774e001dc\"");
        assertThat(time.millis()).isEqualTo(MILLIS);
    }

    @Test
    void comesBackFromItsEtag() {
        FileTime time = FileTime.ofMillis(MILLIS);

        assertThat(FileTime.ofEtag(time.toEtag())).contains(time);
        assertThat(FileTime.ofEtag(Etag.ofWrite(new PartitionId(3, 0), 7, 0))).isEmpty();
    }

    @Test
    void twoWritesNeverShareOne() {
        FileTime first = FileTime.ofMillis(MILLIS);
        FileTime tie = first.next(MILLIS);

        assertThat(tie.ticks()).isEqualTo(first.ticks() + 1);
        assertThat(tie.next(MILLIS - 1).ticks()).isEqualTo(first.ticks() + 2);
        assertThat(tie.next(MILLIS + 1)).isEqualTo(FileTime.ofMillis(MILLIS + 1));
    }
}
