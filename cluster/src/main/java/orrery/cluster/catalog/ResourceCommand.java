package orrery.cluster.catalog;

import java.util.List;
import java.util.Optional;
import orrery.model.ContainerDefinition;
import orrery.model.KeyRange;
import orrery.model.Precondition;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/** A change to databases, containers and their throughput. */
public sealed interface ResourceCommand extends CatalogCommand {
    record CreateDatabase(String name, Optional<Throughput> throughput) implements ResourceCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.CREATE_DATABASE;
        }

        @Override
        public void write(BinaryWriter out) {
            out.string(name).optional(throughput, (w, some) -> some.write(w));
        }

        static CreateDatabase read(BinaryReader in) {
            return new CreateDatabase(in.string(), in.optional(Throughput::read));
        }
    }

    record DeleteDatabase(int database, Precondition precondition) implements ResourceCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.DELETE_DATABASE;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(database);
            Precondition.write(out, precondition);
        }

        static DeleteDatabase read(BinaryReader in) {
            return new DeleteDatabase(in.u32(), Precondition.read(in));
        }
    }

    /** A range of keys and the set that will carry its partition. */
    record PlacedRange(KeyRange keys, int replicaSet) {
        private void write(BinaryWriter out) {
            keys.write(out);
            out.u32(replicaSet);
        }

        private static PlacedRange read(BinaryReader in) {
            return new PlacedRange(KeyRange.read(in), in.u32());
        }
    }

    /**
     * @param ranges the ranges of its partitions, in key order
     */
    record CreateContainer(
            int database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput,
            List<PlacedRange> ranges)
            implements ResourceCommand {
        public CreateContainer {
            ranges = List.copyOf(ranges);
        }

        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.CREATE_CONTAINER;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(database).string(name);
            definition.write(out);
            out.optional(throughput, (w, some) -> some.write(w))
                    .list(ranges, (w, range) -> range.write(w));
        }

        static CreateContainer read(BinaryReader in) {
            return new CreateContainer(
                    in.u32(),
                    in.string(),
                    ContainerDefinition.read(in),
                    in.optional(Throughput::read),
                    in.list(PlacedRange::read));
        }
    }

    /** All partitions are open, or all have taken the definition of that version. */
    record ContainerReady(int container, int definitionVersion) implements ResourceCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.CONTAINER_READY;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container).u32(definitionVersion);
        }

        static ContainerReady read(BinaryReader in) {
            return new ContainerReady(in.u32(), in.u32());
        }
    }

    /** Gives a container another definition. Its kind stays what it was. */
    record ReplaceContainer(
            int container, ContainerDefinition definition, Precondition precondition)
            implements ResourceCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.REPLACE_CONTAINER;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container);
            definition.write(out);
            Precondition.write(out, precondition);
        }

        static ReplaceContainer read(BinaryReader in) {
            return new ReplaceContainer(
                    in.u32(), ContainerDefinition.read(in), Precondition.read(in));
        }
    }

    record DeleteContainer(int container, Precondition precondition) implements ResourceCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.DELETE_CONTAINER;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container);
            Precondition.write(out, precondition);
        }

        static DeleteContainer read(BinaryReader in) {
            return new DeleteContainer(in.u32(), Precondition.read(in));
        }
    }

    /**
     * Gives a container another name. A container that has the name already is deleted, at once
     * with that.
     */
    record TakeName(int container, String name, Precondition precondition)
            implements ResourceCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.TAKE_NAME;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container).string(name);
            Precondition.write(out, precondition);
        }

        static TakeName read(BinaryReader in) {
            return new TakeName(in.u32(), in.string(), Precondition.read(in));
        }
    }

    /**
     * From now on new collections of MongoDB keep versions.
     *
     * @param database in which they are made; 0 for any
     * @param minutes for how long they keep them
     */
    record KeepVersions(int database, int minutes) implements ResourceCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.KEEP_VERSIONS;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(database).u32(minutes);
        }

        static KeepVersions read(BinaryReader in) {
            return new KeepVersions(in.u32(), in.u32());
        }
    }

    /** All partitions of a deleted container are gone. */
    record ForgetContainer(int container) implements ResourceCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.FORGET_CONTAINER;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container);
        }

        static ForgetContainer read(BinaryReader in) {
            return new ForgetContainer(in.u32());
        }
    }

    /**
     * @param buckets absent where they stay as they are
     */
    record ReplaceOffer(
            int offer,
            Throughput throughput,
            Optional<ThroughputBuckets> buckets,
            Precondition precondition)
            implements ResourceCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.REPLACE_OFFER;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(offer);
            throughput.write(out);
            out.optional(buckets, (w, some) -> some.write(w));
            Precondition.write(out, precondition);
        }

        static ReplaceOffer read(BinaryReader in) {
            return new ReplaceOffer(
                    in.u32(),
                    Throughput.read(in),
                    in.optional(ThroughputBuckets::read),
                    Precondition.read(in));
        }
    }
}
