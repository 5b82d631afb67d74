package orrery.cluster.catalog;

import java.util.List;
import java.util.Optional;
import orrery.cluster.api.AccountLimits;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.KeyRange;
import orrery.model.Precondition;
import orrery.model.Throughput;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** A change to the catalog. {@code stampMillis} is the leader's clock. */
public sealed interface CatalogCommand {
    /** Makes the account on the first start; later only its limits may change. */
    record SetUpAccount(Bytes sealingKey, AccountLimits limits) implements CatalogCommand {}

    record CreateDatabase(String name, Optional<Throughput> throughput, long stampMillis)
            implements CatalogCommand {}

    record DeleteDatabase(int database, Precondition precondition) implements CatalogCommand {}

    /**
     * @param ranges the ranges of its partitions, in key order
     */
    record CreateContainer(
            int database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput,
            List<KeyRange> ranges,
            int replicaSet,
            long stampMillis)
            implements CatalogCommand {}

    /** All partitions are open, or all have taken the definition of that version. */
    record ContainerReady(int container, int definitionVersion) implements CatalogCommand {}

    record ReplaceContainer(
            int container,
            ContainerDefinition definition,
            Precondition precondition,
            long stampMillis)
            implements CatalogCommand {}

    record DeleteContainer(int container, Precondition precondition) implements CatalogCommand {}

    /** All partitions of a deleted container are gone. */
    record ForgetContainer(int container) implements CatalogCommand {}

    record ReplaceOffer(int offer, Throughput throughput, long stampMillis)
            implements CatalogCommand {}

    int VERSION = 1;

    static Bytes encode(CatalogCommand command) {
        BinaryWriter out = new BinaryWriter(128).u8(VERSION);
        switch (command) {
            case SetUpAccount c -> {
                out.u8(1).bytes(c.sealingKey);
                c.limits.write(out);
            }
            case CreateDatabase c ->
                    out.u8(2)
                            .string(c.name)
                            .optional(c.throughput, (w, t) -> t.write(w))
                            .u64(c.stampMillis);
            case DeleteDatabase c -> {
                out.u8(3).u32(c.database);
                Precondition.write(out, c.precondition);
            }
            case CreateContainer c -> {
                out.u8(4).u32(c.database).string(c.name);
                c.definition.write(out);
                out.optional(c.throughput, (w, t) -> t.write(w))
                        .list(c.ranges, (w, range) -> range.write(w))
                        .u32(c.replicaSet)
                        .u64(c.stampMillis);
            }
            case ContainerReady c -> out.u8(5).u32(c.container).u32(c.definitionVersion);
            case ReplaceContainer c -> {
                out.u8(6).u32(c.container);
                c.definition.write(out);
                Precondition.write(out, c.precondition);
                out.u64(c.stampMillis);
            }
            case DeleteContainer c -> {
                out.u8(7).u32(c.container);
                Precondition.write(out, c.precondition);
            }
            case ForgetContainer c -> out.u8(8).u32(c.container);
            case ReplaceOffer c -> {
                out.u8(9).u32(c.offer);
                c.throughput.write(out);
                out.u64(c.stampMillis);
            }
        }
        return out.toBytes();
    }

    static CatalogCommand decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a catalog command");
        }
        CatalogCommand command =
                switch (in.u8()) {
                    case 1 -> new SetUpAccount(in.bytes(), AccountLimits.read(in));
                    case 2 ->
                            new CreateDatabase(
                                    in.string(), in.optional(Throughput::read), in.u64());
                    case 3 -> new DeleteDatabase(in.u32(), Precondition.read(in));
                    case 4 ->
                            new CreateContainer(
                                    in.u32(),
                                    in.string(),
                                    ContainerDefinition.read(in),
                                    in.optional(Throughput::read),
                                    in.list(KeyRange::read),
                                    in.u32(),
                                    in.u64());
                    case 5 -> new ContainerReady(in.u32(), in.u32());
                    case 6 ->
                            new ReplaceContainer(
                                    in.u32(),
                                    ContainerDefinition.read(in),
                                    Precondition.read(in),
                                    in.u64());
                    case 7 -> new DeleteContainer(in.u32(), Precondition.read(in));
                    case 8 -> new ForgetContainer(in.u32());
                    case 9 -> new ReplaceOffer(in.u32(), Throughput.read(in), in.u64());
                    default -> throw new MalformedRecordException("unknown catalog command");
                };
        in.expectEnd();
        return command;
    }
}
