package orrery.model;

import java.util.List;
import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The paths of an item that are indexed, and how. Paths are kept as the client wrote them ({@code
 * /a/?}, {@code /tags/[]/*}), because they are handed back so; {@code IndexPlan} in the document
 * module compiles them.
 */
public record IndexingPolicy(
        Mode mode,
        boolean automatic,
        List<String> includedPaths,
        List<String> excludedPaths,
        List<List<CompositePath>> compositeIndexes,
        List<SpatialPath> spatialIndexes) {
    public enum Mode {
        CONSISTENT,
        NONE,
        /**
         * The service once indexed such containers later. Here it is consistent by another name.
         */
        LAZY
    }

    public record CompositePath(String path, boolean descending) {}

    /**
     * @param types GeoJSON type names such as {@code Point}
     * @param box where the geometries lie, in a container whose coordinates are those of a plane;
     *     none where they are longitudes and latitudes
     */
    public record SpatialPath(String path, List<String> types, Optional<BoundingBox> box) {
        public SpatialPath {
            types = List.copyOf(types);
        }
    }

    /** A part of a plane, edges included. */
    public record BoundingBox(double xmin, double ymin, double xmax, double ymax) {
        void write(BinaryWriter out) {
            for (double edge : new double[] {xmin, ymin, xmax, ymax}) {
                out.u64(Double.doubleToLongBits(edge));
            }
        }

        static BoundingBox read(BinaryReader in) {
            return new BoundingBox(edge(in), edge(in), edge(in), edge(in));
        }

        private static double edge(BinaryReader in) {
            return Double.longBitsToDouble(in.u64());
        }
    }

    /** The policy of a container that names none: everything but {@code _etag}. */
    public static final IndexingPolicy DEFAULT =
            new IndexingPolicy(
                    Mode.CONSISTENT,
                    true,
                    List.of("/*"),
                    List.of("/\"_etag\"/?"),
                    List.of(),
                    List.of());

    public IndexingPolicy {
        includedPaths = List.copyOf(includedPaths);
        excludedPaths = List.copyOf(excludedPaths);
        compositeIndexes = compositeIndexes.stream().map(List::copyOf).toList();
        spatialIndexes = List.copyOf(spatialIndexes);
    }

    public void write(BinaryWriter out) {
        out.enumeration(mode).bool(automatic);
        out.list(includedPaths, BinaryWriter::string).list(excludedPaths, BinaryWriter::string);
        out.list(
                compositeIndexes,
                (w, index) ->
                        w.list(index, (v, part) -> v.string(part.path()).bool(part.descending())));
        out.list(
                spatialIndexes,
                (w, index) ->
                        w.string(index.path())
                                .list(index.types(), BinaryWriter::string)
                                .optional(index.box(), (v, box) -> box.write(v)));
    }

    public static IndexingPolicy read(BinaryReader in) {
        return new IndexingPolicy(
                in.enumeration(Mode.class),
                in.bool(),
                in.list(BinaryReader::string),
                in.list(BinaryReader::string),
                in.list(r -> r.list(v -> new CompositePath(v.string(), v.bool()))),
                in.list(
                        r ->
                                new SpatialPath(
                                        r.string(),
                                        r.list(BinaryReader::string),
                                        r.optional(BoundingBox::read))));
    }
}
