package orrery.query.index;

import java.util.List;
import orrery.document.IndexPath;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/** A walk over the entries of one index, as far as they lie in some ranges. */
public record IndexScan(List<Column> columns) {
    public IndexScan {
        columns = List.copyOf(columns);
    }

    /**
     * A path of the index.
     *
     * @param ranges the values that are wanted; every value if there is none
     * @param isCut whether there are more ranges than these
     */
    public record Column(
            IndexPath path, boolean isDescending, List<ValueRange> ranges, boolean isCut) {
        public Column {
            ranges = List.copyOf(ranges);
        }

        /** The ascending column of an index of one path, with as many ranges as there is room. */
        static Column of(IndexPath path, ValueRanges ranges, int room) {
            List<ValueRange> all = ranges.ranges();
            boolean isCut = all.size() > room;
            return new Column(path, false, isCut ? all.subList(0, room) : all, isCut);
        }

        private void write(BinaryWriter out) {
            path.write(out);
            out.bool(isDescending)
                    .list(ranges, (w, range) -> w.bytes(range.from()).bytes(range.to()))
                    .bool(isCut);
        }

        private static Column read(BinaryReader in) {
            return new Column(
                    IndexPath.read(in),
                    in.bool(),
                    in.list(r -> new ValueRange(r.bytes(), r.bytes())),
                    in.bool());
        }
    }

    public static IndexScan of(IndexPath path, ValueRanges ranges, int room) {
        return new IndexScan(List.of(Column.of(path, ranges, room)));
    }

    public void write(BinaryWriter out) {
        out.list(columns, (w, column) -> column.write(w));
    }

    public static IndexScan read(BinaryReader in) {
        return new IndexScan(in.list(Column::read));
    }
}
