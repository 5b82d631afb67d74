package orrery.query.index;

import java.util.Optional;
import orrery.document.GeoJson;
import orrery.document.IndexPath;
import orrery.document.IndexPathCodec;
import orrery.document.spatial.CellRange;
import orrery.document.spatial.Figure;
import orrery.document.spatial.SpatialIndex;
import orrery.model.Bytes;
import orrery.model.codec.BinaryWriter;
import orrery.query.dialect.Effort;

/**
 * The entries of a spatial index around a place.
 *
 * @param ranges of numbers of cells
 */
public record NearCells(IndexPath path, SpatialIndex index, ValueRanges ranges)
        implements EntryCondition {
    static NearCells of(IndexFilter.Near near, SpatialIndex index) {
        ValueRanges ranges =
                ValueRanges.union(
                        index.near(near.shape(), near.distance()).stream()
                                .map(NearCells::range)
                                .toList());
        return new NearCells(near.path(), index, ranges);
    }

    private static ValueRanges range(CellRange cells) {
        return ValueRanges.between(term(cells.first()), behind(cells.last()));
    }

    private static Bytes term(long cell) {
        return new BinaryWriter().u64(cell).toBytes();
    }

    /** Behind the last number, longer texts lie, of which there are none. */
    private static Bytes behind(long cell) {
        return cell == -1L ? new BinaryWriter().u64(cell).u8(0).toBytes() : term(cell + 1);
    }

    @Override
    public Bytes prefix() {
        return IndexPathCodec.encodeSpatial(path);
    }

    @Override
    public boolean passes(byte[] entry, int valueAt, Effort effort) {
        return true;
    }

    @Override
    public Optional<Bytes> first(PathValues item) {
        Bytes[] first = new Bytes[1];
        item.forEach(
                path,
                value -> {
                    Optional<Figure> figure = GeoJson.parse(value);
                    if (figure.isPresent()) {
                        for (long cell : index.cells(figure.get())) {
                            Bytes term = term(cell);
                            if (ranges.contains(term)
                                    && (first[0] == null || term.compareTo(first[0]) < 0)) {
                                first[0] = term;
                            }
                        }
                    }
                });
        return Optional.ofNullable(first[0]);
    }

    @Override
    public boolean meetsItemsTwice() {
        return true;
    }
}
