package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import orrery.document.edm.EdmValue;
import orrery.model.FileTime;

class TableTimeProperties {
    /** The moment of the end of the year 9999. */
    private static final long LAST = 2_650_467_743_999_999_999L;

    /** Ticks beyond the year 9999, which only other APIs can store, among them. */
    private static final long YEAR_12000 = 3_786_912_000_000_000_000L;

    private static final DateTimeFormatter WHOLE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT);

    private static final DateTimeFormatter SHORT =
            new DateTimeFormatterBuilder()
                    .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
                    .appendFraction(ChronoField.NANO_OF_SECOND, 0, 7, true)
                    .appendLiteral('Z')
                    .toFormatter(Locale.ROOT);

    /** What is written by hand is what the formatters of the JDK write. */
    @Property(tries = 500)
    void momentsAreWrittenAsFormattersWriteThem(
            @ForAll @LongRange(min = 0, max = YEAR_12000) long ticks,
            @ForAll @IntRange(max = 8) int zeros) {
        long power = (long) Math.pow(10, zeros);
        EdmValue.Moment moment = new EdmValue.Moment(ticks / power * power);
        OffsetDateTime time = TableTime.instant(moment).atOffset(ZoneOffset.UTC);
        assertThat(TableTime.format(moment)).isEqualTo(SHORT.format(time));
        assertThat(TableTime.format(time.toInstant())).isEqualTo(WHOLE.format(time));
        FileTime fileTime = moment.toFileTime();
        assertThat(TableTime.etag(fileTime))
                .isEqualTo(
                        "W/\"datetime'" + TableTime.format(fileTime).replace(":", "%3A") + "'\"");
    }

    @Property(tries = 300)
    void decimalsAreReadWhateverTheirNumber(
            @ForAll @LongRange(min = 0, max = LAST) long ticks,
            @ForAll @IntRange(max = 9) int decimals) {
        String text = TableTime.format(new FileTime(ticks));
        String digits = text.substring(20, 27) + "00";
        String cut =
                text.substring(0, 19) + (decimals == 0 ? "" : "." + digits.substring(0, decimals));
        Instant expected = OffsetDateTime.parse(cut + "Z").toInstant();
        for (String zone : List.of("Z", "+00:00", "")) {
            assertThat(TableTime.parse(cut + zone).map(TableTime::instant)).hasValue(expected);
        }
    }

    @Example
    void thereAreNoSuchMoments() {
        for (String text :
                List.of(
                        "2026-02-30T00:00:00Z",
                        "2026-13-01T00:00:00Z",
                        "2026-00-01T00:00:00Z",
                        "2026-01-01T24:00:00Z",
                        "2026-01-01T00:60:00Z",
                        "2026-01-01T00:00:60Z",
                        "2026-01-01T00:00:00,5Z",
                        "2026-01-01T00:00:0aZ",
                        "2026-01-01 00:00:00Z",
                        "2026-01-01T00:00:00.12x4567Z",
                        "2026-01-01T00:00:00z")) {
            assertThat(TableTime.parse(text)).as(text).isEmpty();
        }
    }

    @Property(tries = 300)
    void etagsLoseNothing(@ForAll @LongRange(min = 0, max = LAST) long ticks) {
        FileTime time = new FileTime(ticks);
        String etag = TableTime.etag(time);
        assertThat(TableTime.ofEtag(etag)).hasValue(time);
        assertThat(TableTime.isEtag(etag)).isTrue();
        assertThat(TableTime.parse(TableTime.format(time))).hasValue(EdmValue.Moment.of(time));
    }
}
