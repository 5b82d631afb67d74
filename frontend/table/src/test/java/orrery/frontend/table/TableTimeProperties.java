package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import orrery.document.edm.EdmValue;
import orrery.model.FileTime;

class TableTimeProperties {
    /** The moment of the end of the year 9999. */
    private static final long LAST = 2_650_467_743_999_999_999L;

    @Property(tries = 300)
    void etagsLoseNothing(@ForAll @LongRange(min = 0, max = LAST) long ticks) {
        FileTime time = new FileTime(ticks);
        String etag = TableTime.etag(time);
        assertThat(TableTime.ofEtag(etag)).hasValue(time);
        assertThat(TableTime.isEtag(etag)).isTrue();
        assertThat(TableTime.parse(TableTime.format(time))).hasValue(EdmValue.Moment.of(time));
    }
}
