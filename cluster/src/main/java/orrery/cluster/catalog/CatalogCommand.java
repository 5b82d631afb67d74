package orrery.cluster.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import orrery.cluster.api.AccountSettings;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.Throughput;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.partition.api.SplitAim;

/** A change to the catalog. {@code stampMillis} is the leader's clock. */
public sealed interface CatalogCommand {
    /**
     * Makes the account on the first start. Later it changes nothing that is there; an account that
     * has no keys yet takes these.
     */
    record SetUpAccount(
            AccountIdentity identity,
            Bytes sealingKey,
            AccountSettings settings,
            Optional<AccountKeys> keys)
            implements CatalogCommand {}

    /**
     * Changes the settings of an account. Containers are told anew what they may hold where that
     * changes.
     *
     * @param before what they were when the change was worked out; on others it is refused
     */
    record ChangeSettings(AccountSettings before, AccountSettings settings)
            implements CatalogCommand {}

    /** Puts new keys in the place of some. */
    record ReplaceKeys(Map<KeyKind, String> keys) implements CatalogCommand {
        public ReplaceKeys {
            keys = Map.copyOf(keys);
        }

        /** Keys are secrets and stay out of logs. */
        @Override
        public String toString() {
            return "ReplaceKeys" + keys.keySet();
        }

        private void write(BinaryWriter out) {
            out.list(
                    new TreeMap<>(keys).entrySet(),
                    (w, entry) -> w.enumeration(entry.getKey()).string(entry.getValue()));
        }

        private static ReplaceKeys read(BinaryReader in) {
            Map<KeyKind, String> keys = new TreeMap<>();
            for (int left = in.count(); left > 0; left--) {
                keys.put(in.enumeration(KeyKind.class), in.string());
            }
            return new ReplaceKeys(keys);
        }
    }

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

    record ReplaceOffer(
            int offer, Throughput throughput, Precondition precondition, long stampMillis)
            implements CatalogCommand {}

    /** Decides a split; its children get the next range ids. */
    record BeginSplit(int container, int range, SplitAim aim) implements CatalogCommand {}

    /** Decides the merge of a range with its right neighbour. */
    record BeginMerge(int container, int left) implements CatalogCommand {}

    /**
     * The partitions have done what was decided: the map follows.
     *
     * @param reshape what was done, so that a late repetition changes nothing
     * @param at where the right side of a split begins
     */
    record PublishReshape(
            int container,
            Reshape reshape,
            Optional<EffectiveKey> at,
            long durationMillis,
            long stampMillis)
            implements CatalogCommand {}

    /** The partitions cannot do it: nothing changes. */
    record CancelReshape(int container, Reshape reshape) implements CatalogCommand {}

    /**
     * Divides a container's throughput over its ranges.
     *
     * @param epoch of the map it was worked out for; on another one it changes nothing
     * @param fractions one for each range, or none to give each the same
     */
    record Redistribute(int container, long epoch, List<Double> fractions)
            implements CatalogCommand {
        public Redistribute {
            fractions = List.copyOf(fractions);
        }
    }

    record CreateScript(int container, ScriptDefinition definition, long stampMillis)
            implements CatalogCommand {}

    record ReplaceScript(
            int script, ScriptDefinition definition, Precondition precondition, long stampMillis)
            implements CatalogCommand {}

    record DeleteScript(int script, Precondition precondition) implements CatalogCommand {}

    /** About how many bytes a command takes, for those who hold many. */
    static int sizeOf(CatalogCommand command) {
        return switch (command) {
            case CreateScript c -> SMALL_BYTES + c.definition.body().length();
            case ReplaceScript c -> SMALL_BYTES + c.definition.body().length();
            default -> SMALL_BYTES;
        };
    }

    /**
     * Returns true if the command begins something new. All others delete, or finish what was
     * begun.
     */
    static boolean takesSpace(CatalogCommand command) {
        return switch (command) {
            case CreateDatabase _,
                    CreateContainer _,
                    ReplaceContainer _,
                    ReplaceOffer _,
                    BeginSplit _,
                    BeginMerge _,
                    Redistribute _,
                    CreateScript _,
                    ReplaceScript _ ->
                    true;
            case SetUpAccount _,
                    ChangeSettings _,
                    ReplaceKeys _,
                    DeleteDatabase _,
                    ContainerReady _,
                    DeleteContainer _,
                    ForgetContainer _,
                    PublishReshape _,
                    CancelReshape _,
                    DeleteScript _ ->
                    false;
        };
    }

    /** Few commands are larger. */
    int SMALL_BYTES = 1024;

    /** 3: the identity of the account, and segments of reshapes. */
    int VERSION = 3;

    static Bytes encode(CatalogCommand command) {
        BinaryWriter out = new BinaryWriter(128).u8(VERSION);
        switch (command) {
            case SetUpAccount c -> {
                c.identity.write(out.u8(18));
                out.bytes(c.sealingKey);
                c.settings.write(out);
                out.optional(c.keys, (w, keys) -> keys.write(w));
            }
            case ChangeSettings c -> {
                out.u8(19);
                c.before.write(out);
                c.settings.write(out);
            }
            case ReplaceKeys c -> c.write(out.u8(20));
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
                Precondition.write(out, c.precondition);
                out.u64(c.stampMillis);
            }
            case BeginSplit c -> out.u8(10).u32(c.container).u32(c.range).enumeration(c.aim);
            case BeginMerge c -> out.u8(11).u32(c.container).u32(c.left);
            case PublishReshape c -> {
                out.u8(12).u32(c.container);
                c.reshape.write(out);
                out.optional(c.at, (w, at) -> w.bytes(at.bytes()))
                        .u64(c.durationMillis)
                        .u64(c.stampMillis);
            }
            case CancelReshape c -> {
                out.u8(13).u32(c.container);
                c.reshape.write(out);
            }
            case Redistribute c ->
                    out.u8(14)
                            .u32(c.container)
                            .u64(c.epoch)
                            .list(
                                    c.fractions,
                                    (w, fraction) -> w.u64(Double.doubleToLongBits(fraction)));
            case CreateScript c -> {
                out.u8(15).u32(c.container);
                c.definition.write(out);
                out.u64(c.stampMillis);
            }
            case ReplaceScript c -> {
                out.u8(16).u32(c.script);
                c.definition.write(out);
                Precondition.write(out, c.precondition);
                out.u64(c.stampMillis);
            }
            case DeleteScript c -> {
                out.u8(17).u32(c.script);
                Precondition.write(out, c.precondition);
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
                    case 9 ->
                            new ReplaceOffer(
                                    in.u32(), Throughput.read(in), Precondition.read(in), in.u64());
                    case 10 -> new BeginSplit(in.u32(), in.u32(), in.enumeration(SplitAim.class));
                    case 11 -> new BeginMerge(in.u32(), in.u32());
                    case 12 ->
                            new PublishReshape(
                                    in.u32(),
                                    Reshape.read(in),
                                    in.optional(r -> new EffectiveKey(r.bytes())),
                                    in.u64(),
                                    in.u64());
                    case 13 -> new CancelReshape(in.u32(), Reshape.read(in));
                    case 14 ->
                            new Redistribute(
                                    in.u32(),
                                    in.u64(),
                                    in.list(r -> Double.longBitsToDouble(r.u64())));
                    case 15 -> new CreateScript(in.u32(), ScriptDefinition.read(in), in.u64());
                    case 16 ->
                            new ReplaceScript(
                                    in.u32(),
                                    ScriptDefinition.read(in),
                                    Precondition.read(in),
                                    in.u64());
                    case 17 -> new DeleteScript(in.u32(), Precondition.read(in));
                    case 18 ->
                            new SetUpAccount(
                                    AccountIdentity.read(in),
                                    in.bytes(),
                                    AccountSettings.read(in),
                                    in.optional(AccountKeys::read));
                    case 19 ->
                            new ChangeSettings(AccountSettings.read(in), AccountSettings.read(in));
                    case 20 -> ReplaceKeys.read(in);
                    default -> throw new MalformedRecordException("unknown catalog command");
                };
        in.expectEnd();
        return command;
    }
}
