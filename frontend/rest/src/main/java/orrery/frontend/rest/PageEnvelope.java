package orrery.frontend.rest;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import orrery.document.ByteSink;
import orrery.model.Bytes;

/**
 * The JSON around the rows of a page. Rows are written as the bytes they are, never parsed and
 * printed again.
 *
 * @param before all that precedes the first row, its opening bracket included
 * @param after all that follows the last row
 */
public record PageEnvelope(String before, String after) {
    /** Counts the rows at the end and names their owner at the beginning, as clients of SQL do. */
    public static PageEnvelope counted(String ownerRid, String array, int count) {
        return new PageEnvelope(
                "{\"_rid\":\"" + ownerRid + "\",\"" + array + "\":[",
                "],\"_count\":" + count + "}");
    }

    /**
     * @param size a guess at the bytes of a row; too small a one costs a copy
     */
    public <T> Bytes around(List<T> rows, ToIntFunction<T> size, BiConsumer<ByteSink, T> row) {
        int bytes = before.length() + after.length();
        for (T each : rows) {
            bytes += size.applyAsInt(each) + 1;
        }
        ByteSink out = new ByteSink(bytes).putAscii(before);
        boolean isFirst = true;
        for (T each : rows) {
            if (!isFirst) {
                out.put(',');
            }
            isFirst = false;
            row.accept(out, each);
        }
        return out.putAscii(after).toBytes();
    }
}
