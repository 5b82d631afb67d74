package orrery.partition.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.Derived;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.KeyComponent;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.Statement;
import orrery.model.codec.BinaryWriter;
import orrery.partition.machine.Command;
import orrery.partition.machine.DeleteKey;
import orrery.partition.machine.ForgetDeletion;
import orrery.partition.machine.PreparedTerms;
import orrery.partition.machine.PurgeSessions;
import orrery.partition.machine.ReshapeCommand;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Keys;

/** Commands at random, over few enough keys that they keep meeting each other. */
final class Workload {
    private static final long START_MILLIS = 1_800_000_000_000L;

    /** Containers whose items expire; the settings of one of them keep changing. */
    static final Set<Integer> EXPIRING = Set.of(300, 9);

    private static final Set<Integer> UNIQUE = Set.of(300, 70_000);
    private static final Pattern LIFETIME = Pattern.compile("\"ttl\":(-?[0-9]+)");
    private static final String MIDDLE = "1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF";

    private static final List<IndexingPolicy> POLICIES =
            List.of(
                    IndexingPolicy.DEFAULT,
                    new IndexingPolicy(
                            IndexingPolicy.Mode.NONE,
                            false,
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of()),
                    consistent(List.of("/a/?", "/nested/b/?"), List.of("/*"), List.of()),
                    consistent(List.of("/*"), List.of("/tags/*", "/text/?"), List.of()),
                    consistent(List.of("/*", "/a/?", "/cp/*"), List.of(), List.of()),
                    consistent(
                            List.of("/*"),
                            List.of(),
                            List.of(
                                    List.of(
                                            new IndexingPolicy.CompositePath("/a", false),
                                            new IndexingPolicy.CompositePath("/text", true)))),
                    new IndexingPolicy(
                            IndexingPolicy.Mode.CONSISTENT,
                            true,
                            List.of("/*"),
                            List.of("/place/*"),
                            List.of(),
                            List.of(
                                    new IndexingPolicy.SpatialPath(
                                            "/place/*",
                                            List.of("Point", "LineString"),
                                            Optional.empty()))));

    /** Some hide what items hold; whether they are indexed is for the policy to say. */
    private static final List<List<ComputedProperty>> COMPUTED =
            List.of(
                    List.of(),
                    List.of(new ComputedProperty("a", "SELECT VALUE LENGTH(c.text) FROM c")),
                    List.of(
                            new ComputedProperty("a", "SELECT VALUE c.u % 2 FROM c"),
                            new ComputedProperty(
                                    "cp", "SELECT VALUE {t: c.tags, s: c._ts} FROM c")));

    /** Minutes; half of the definitions keep versions as long as the whole run takes. */
    private static final List<Integer> RETENTIONS = List.of(60, 60, 60, 2, 1, 0);

    private final RandomGenerator random;
    private final PartitionModel model;
    private final List<Container> containers = new ArrayList<>();
    private long clockMillis = START_MILLIS;
    private long requests;
    private long transactions;
    private boolean hasSessions;
    private int definitions = 1;
    private int nextRange = 10;
    private int nextSegment = 500;

    private record Container(
            int number, PartitionKeyDefinition key, List<KeyRange> ranges, long limitBytes) {
        PartitionId partition(int range) {
            return new PartitionId(number, range);
        }
    }

    Workload(RandomGenerator random, PartitionModel model) {
        this.random = random;
        this.model = model;
        List<KeyRange> halves =
                List.of(
                        new KeyRange(EffectiveKey.MIN, EffectiveKey.ofHex(MIDDLE)),
                        new KeyRange(EffectiveKey.ofHex(MIDDLE), EffectiveKey.MAX));
        List<KeyRange> whole = List.of(KeyRange.FULL);
        containers.add(
                new Container(7, key(PartitionKeyDefinition.Kind.HASH, 2, 1), halves, 1 << 30));
        // Two or three items of a key fill it.
        containers.add(new Container(8, key(PartitionKeyDefinition.Kind.HASH, 2, 1), whole, 2500));
        containers.add(
                new Container(300, key(PartitionKeyDefinition.Kind.HASH, 1, 1), whole, 1 << 30));
        containers.add(
                new Container(
                        70_000,
                        key(PartitionKeyDefinition.Kind.MULTI_HASH, 2, 2),
                        halves,
                        1 << 30));
        containers.add(new Container(9, key(PartitionKeyDefinition.Kind.RANGE, 1, 1), whole, 9000));
    }

    private static IndexingPolicy consistent(
            List<String> included,
            List<String> excluded,
            List<List<IndexingPolicy.CompositePath>> composites) {
        return new IndexingPolicy(
                IndexingPolicy.Mode.CONSISTENT, true, included, excluded, composites, List.of());
    }

    private static PartitionKeyDefinition key(
            PartitionKeyDefinition.Kind kind, int version, int paths) {
        List<PropertyPath> all =
                List.of(PropertyPath.parse("/pk"), PropertyPath.parse("/nested/b"));
        return new PartitionKeyDefinition(all.subList(0, paths), kind, version, false);
    }

    /** Every partition there is to open, as a catalog would. */
    List<Command> openAll() {
        List<Command> commands = new ArrayList<>();
        for (Container container : containers) {
            for (int range = 0; range < container.ranges().size(); range++) {
                commands.add(open(container, range));
            }
        }
        return commands;
    }

    /** All replicas know by now how long statements of sessions count. */
    void beginSessions() {
        hasSessions = true;
    }

    void advanceClock(long millis) {
        clockMillis += millis;
    }

    /** The same command as its sender would send it again: same request, later stamp. */
    Command again(Command command) {
        return command instanceof Command.WriteItems write
                ? new Command.WriteItems(
                        write.partition(),
                        write.requestId(),
                        stamp(),
                        write.changes(),
                        write.lastWrite(),
                        write.answer(),
                        write.stated())
                : command instanceof DeleteKey delete
                        ? new DeleteKey(
                                delete.partition(),
                                delete.requestId(),
                                stamp(),
                                delete.key(),
                                delete.keys())
                        : command;
    }

    /** Usually one command; now and then some that are sent together, to share an entry. */
    List<Command> next() {
        clockMillis += random.nextInt(2000);
        Container container = containers.get(random.nextInt(containers.size()));
        return switch (random.nextInt(40)) {
            case 0 -> newPolicyAtOnce(container);
            case 1 -> reopening(container);
            default -> List.of(one(container));
        };
    }

    private List<Command> newPolicyAtOnce(Container container) {
        Command.WriteItems write = write(container);
        DefinitionRecord.Version definition = definition(container);
        return List.of(
                write,
                new Command.SetDefinition(write.partition(), definition),
                new Command.Reindex(
                        write.partition(), definition.version(), 1 + random.nextInt(40)));
    }

    private List<Command> reopening(Container container) {
        Command.WriteItems write = write(container);
        return List.of(
                write,
                new Command.DropPartition(write.partition()),
                open(container, random.nextInt(container.ranges().size())),
                write(container));
    }

    private Command one(Container container) {
        int chance = random.nextInt(1000);
        if (chance < 20) {
            return open(container, random.nextInt(container.ranges().size()));
        }
        if (chance < 26) {
            return new Command.DropPartition(anyPartition(container));
        }
        if (chance < 70) {
            return new Command.SetDefinition(anyPartition(container), definition(container));
        }
        if (chance < 170) {
            return reindex(container);
        }
        if (chance < 220) {
            return split(container);
        }
        if (chance < 245) {
            return merge(container);
        }
        if (chance < 290) {
            return purge(container);
        }
        if (chance < 310) {
            return deleteKey(container);
        }
        if (chance < 330) {
            return forget(container);
        }
        if (chance < 365) {
            return new Command.PurgeJournal(anyPartition(container), stamp());
        }
        if (chance < 390) {
            return new Command.AdvanceTime(anyPartition(container), stamp());
        }
        if (chance < 405) {
            return new PurgeSessions(
                    anyPartition(container),
                    stamp(),
                    model.sessions.suffixes(container.number()).stream().limit(20).toList());
        }
        return write(container);
    }

    /** Begins a split, or ends one that has begun. */
    private Command split(Container container) {
        PartitionId id = anyPartition(container);
        PartitionModel.Partition partition = model.partitions().get(id);
        if (partition != null && partition.split.isPresent() && random.nextInt(4) != 0) {
            PartitionModel.Split split = partition.split.get();
            return new ReshapeCommand.CommitSplit(
                    id,
                    split.left(),
                    split.right(),
                    nextSegment++,
                    nextSegment++,
                    split.position(),
                    split.leftBefore(),
                    stamp());
        }
        EffectiveKey at = key(container, random.nextInt(4), "any").epk();
        return new ReshapeCommand.PrepareSplit(id, at, nextRange++, nextRange++);
    }

    private Command merge(Container container) {
        PartitionId left = anyPartition(container);
        PartitionModel.Partition partition = model.partitions().get(left);
        int right =
                live(container).stream()
                        .filter(p -> partition != null && p.keys.min().equals(partition.keys.max()))
                        .map(p -> p.id.range())
                        .findFirst()
                        .orElse(1);
        return new ReshapeCommand.MergePartitions(left, right, nextRange++, nextSegment++, stamp());
    }

    /** A whole key, or all that begin with its first component. */
    private Command deleteKey(Container container) {
        ItemKey key = key(container, random.nextInt(4), "any");
        boolean isPrefix = container.key().paths().size() == 2 && random.nextBoolean();
        PartitionKey given =
                isPrefix
                        ? PartitionKey.of(key.partitionKey().components().getFirst())
                        : key.partitionKey();
        KeyRange keys =
                isPrefix
                        ? EffectiveKeys.prefixRange(container.key(), given)
                        : new KeyRange(
                                key.epk(),
                                new EffectiveKey(
                                        new BinaryWriter(40)
                                                .raw(key.epk().bytes())
                                                .u8(0)
                                                .toBytes()));
        PartitionId home = home(container, key);
        PartitionModel.Partition partition = model.partitions().get(home);
        return new DeleteKey(
                home,
                nextRequest(),
                stamp(),
                given,
                partition == null ? keys : partition.keys.intersect(keys).orElse(keys));
    }

    /**
     * Does what the worker does when nothing is left of a deleted key, or there was no deletion at
     * all.
     */
    private Command forget(Container container) {
        PartitionId id = anyPartition(container);
        PartitionModel.Partition partition = model.partitions().get(id);
        if (partition == null) {
            return purge(container);
        }
        return partition.deletions.stream()
                .filter(
                        deletion ->
                                partition.items.values().stream()
                                        .noneMatch(
                                                item ->
                                                        item.lsn() <= deletion.lsn()
                                                                && deletion.covers(item.key())))
                .findFirst()
                .<Command>map(deletion -> new ForgetDeletion(id, deletion))
                .orElseGet(() -> purge(container));
    }

    /**
     * Does what the worker does that finds items to purge, but some of them are not gone or have
     * changed since.
     */
    private Command purge(Container container) {
        PartitionId id = anyPartition(container);
        PartitionModel.Partition partition = model.partitions().get(id);
        List<Command.Purge.Target> targets = new ArrayList<>();
        if (partition != null) {
            partition.items.forEach(
                    (suffix, item) -> {
                        boolean isDue =
                                PartitionModel.isGone(partition, item, clockMillis)
                                        || random.nextInt(20) == 0;
                        if (isDue && targets.size() < 3) {
                            targets.add(
                                    new Command.Purge.Target(
                                            suffix,
                                            random.nextInt(10) == 0
                                                    ? new Etag(1, 1)
                                                    : item.etag()));
                        }
                    });
        }
        return new Command.Purge(id, stamp(), targets);
    }

    private List<PartitionModel.Partition> live(Container container) {
        return model.partitions().values().stream()
                .filter(partition -> partition.id.container() == container.number())
                .toList();
    }

    /** A write that changes nothing that others touch. */
    Command idleWrite() {
        Container container = containers.getFirst();
        return new Command.WriteItems(
                home(container, key(container, 0, "never-there")),
                nextRequest(),
                clockMillis,
                List.of(
                        new Command.ItemChange.Remove(
                                key(container, 0, "never-there"), Precondition.NONE)));
    }

    private Command open(Container container, int range) {
        return new Command.OpenPartition(
                container.partition(range),
                container.ranges().get(range),
                nextSegment++,
                definition(container),
                stamp());
    }

    private Command reindex(Container container) {
        PartitionId id = anyPartition(container);
        PartitionModel.Partition partition = model.partitions().get(id);
        int version = partition == null ? definitions : partition.policyVersion;
        List<Command.Reindex.Evaluated> derived =
                partition == null
                        ? List.of()
                        : ModelIndex.evaluate(partition).stream()
                                .filter(_ -> random.nextInt(20) != 0)
                                .toList();
        return new Command.Reindex(id, version, 1 + random.nextInt(6), derived);
    }

    private DefinitionRecord.Version definition(Container container) {
        ContainerDefinition plain =
                new ContainerDefinition(
                                container.key(),
                                POLICIES.get(random.nextInt(POLICIES.size())),
                                ContainerDefinition.ConflictResolution.DEFAULT,
                                ContainerDefinition.Geospatial.GEOGRAPHY)
                        .withChangeRetention(RETENTIONS.get(random.nextInt(RETENTIONS.size())))
                        .withComputedProperties(COMPUTED.get(random.nextInt(COMPUTED.size())));
        ContainerDefinition unique =
                UNIQUE.contains(container.number())
                        ? plain.withUniqueKeys(
                                List.of(
                                        new UniqueKey(
                                                List.of(
                                                        PropertyPath.parse("/a"),
                                                        PropertyPath.parse("/u")))))
                        : plain;
        return new DefinitionRecord.Version(
                definitions++,
                EXPIRING.contains(container.number())
                        ? unique.withTimeToLive(new TimeToLive(random.nextInt(-1, 30)))
                        : unique,
                container.limitBytes());
    }

    private Command.WriteItems write(Container container) {
        int keyNumber = random.nextInt(4);
        long stamp = stamp();
        List<Command.ItemChange> changes =
                random.nextInt(4) == 0
                        ? batch(container, keyNumber, stamp)
                        : List.of(change(container, keyNumber, stamp));
        PartitionId id = home(container, changes.getFirst().key());
        return new Command.WriteItems(
                id,
                nextRequest(),
                stamp,
                changes,
                lastWrite(id, changes.getFirst().key()),
                Bytes.EMPTY,
                stated(changes));
    }

    /** Names some writes: sessions go on, come back, and send the same again. */
    private Optional<Command.Stated> stated(List<Command.ItemChange> changes) {
        if (!hasSessions || random.nextInt(3) != 0) {
            return Optional.empty();
        }
        byte[] session = new byte[Statement.SESSION_BYTES];
        session[0] = (byte) random.nextInt(3);
        transactions += random.nextInt(8) == 0 ? 1 : 0;
        int count = Math.min(changes.size(), 1 + random.nextInt(3));
        boolean isSought = count == 1 && random.nextInt(3) == 0;
        Statement statement =
                new Statement(
                        Bytes.wrap(session),
                        Math.max(0, transactions - random.nextInt(20) / 18),
                        random.nextInt(4),
                        count,
                        isSought);
        return Optional.of(
                new Command.Stated(statement, random.nextBoolean(), random.nextBoolean()));
    }

    /**
     * Returns the last write that a script knows: it has read what is committed by now, or an older
     * state.
     */
    private OptionalLong lastWrite(PartitionId id, ItemKey key) {
        PartitionModel.Partition partition = model.partitions().get(id);
        if (partition == null || random.nextInt(3) != 0) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                random.nextInt(5) == 0
                        ? random.nextLong(partition.headLsn + 1)
                        : model.lastWrite(partition, key));
    }

    /** Makes a batch that reads items, overwrites them, deletes them and creates them again. */
    private List<Command.ItemChange> batch(Container container, int keyNumber, long stamp) {
        int count = random.nextInt(8) == 0 ? 20 + random.nextInt(81) : 2 + random.nextInt(4);
        // Among many changes at random one is nearly always refused.
        boolean isWilling = count > 5 || random.nextBoolean();
        List<Command.ItemChange> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Command.ItemChange change =
                    isWilling
                            ? willing(container, keyNumber, stamp)
                            : change(container, keyNumber, stamp);
            changes.add(change);
            if (random.nextInt(4) == 0) {
                changes.add(
                        new Command.ItemChange.Check(
                                change.key(),
                                isWilling
                                        ? Precondition.NONE
                                        : precondition(container, change.key())));
            }
            if (isWilling && random.nextInt(6) == 0) {
                changes.add(new Command.ItemChange.Remove(change.key(), Precondition.NONE));
            }
        }
        return changes;
    }

    /** Takes the item as it finds it. */
    private Command.ItemChange willing(Container container, int keyNumber, long stamp) {
        ItemKey key = key(container, keyNumber, "item-" + random.nextInt(7));
        Bytes body = body(key);
        return complete(
                container,
                new Command.ItemChange.Put(
                        key, Command.Expect.ANY, Precondition.NONE, Encoding.JSON, body),
                stamp);
    }

    private Command.ItemChange change(Container container, int keyNumber, long stamp) {
        ItemKey key = key(container, keyNumber, "item-" + random.nextInt(7));
        if (random.nextInt(5) == 0) {
            return new Command.ItemChange.Remove(key, precondition(container, key));
        }
        if (random.nextInt(6) == 0) {
            return rename(container, key, stamp);
        }
        Command.Expect expect = Command.Expect.values()[random.nextInt(3)];
        Bytes body = body(key);
        return complete(
                container,
                new Command.ItemChange.Put(
                                key,
                                expect,
                                expect == Command.Expect.ABSENT
                                        ? Precondition.NONE
                                        : precondition(container, key),
                                Encoding.JSON,
                                body)
                        .asUpdate(random.nextBoolean()),
                stamp);
    }

    private Command.ItemChange rename(Container container, ItemKey key, long stamp) {
        ItemKey target = key.withRowKey(RowKey.ofText("renamed-" + random.nextInt(4)));
        boolean isBack = random.nextInt(3) == 0;
        ItemKey from = isBack ? target : key;
        ItemKey to = isBack ? key : target;
        Bytes body = body(to);
        return complete(
                container,
                new Command.ItemChange.Rename(
                                from,
                                to.rowKey(),
                                precondition(container, from),
                                Encoding.JSON,
                                body)
                        .asUpdate(random.nextBoolean()),
                stamp);
    }

    /**
     * Derives rows and prepares terms like a leader: under the policy it sees now, which may have
     * changed when they are applied.
     */
    private Command.ItemChange complete(
            Container container, Command.ItemChange.Storing put, long stamp) {
        PartitionModel.Partition partition = model.partitions().get(home(container, put.key()));
        if (partition == null || random.nextInt(50) == 0) {
            return put;
        }
        long seconds = Math.max(stamp, partition.timeMillis) / 1000;
        ModelIndex index = ModelIndex.of(partition.definition.definition());
        Derived derived = index.derive(partition.policyVersion, put.body(), seconds);
        return random.nextInt(3) == 0
                ? put.with(derived, null)
                : put.with(
                        derived,
                        new PreparedTerms(
                                partition.policyVersion,
                                seconds,
                                index.terms(put.body(), seconds)));
    }

    private Precondition precondition(Container container, ItemKey key) {
        PartitionModel.Partition partition = model.partitions().get(home(container, key));
        return switch (random.nextInt(6)) {
            case 0 -> new Precondition.Exists();
            case 1 -> new Precondition.Impossible();
            case 2, 3 ->
                    Optional.ofNullable(partition)
                            .map(found -> found.items.get(Keys.itemSuffix(key)))
                            .<Precondition>map(item -> new Precondition.Matches(item.etag()))
                            .orElse(new Precondition.Matches(new Etag(1, 1)));
            default -> Precondition.NONE;
        };
    }

    private ItemKey key(Container container, int number, String id) {
        List<KeyComponent> components = new ArrayList<>();
        components.add(
                switch (number) {
                    case 0 -> new KeyComponent.Text("north");
                    case 1 -> new KeyComponent.Numeric(number);
                    case 2 -> KeyComponent.UNDEFINED;
                    default -> new KeyComponent.Text("s".repeat(120));
                });
        if (container.key().paths().size() == 2) {
            components.add(KeyComponent.TRUE);
        }
        PartitionKey partitionKey = new PartitionKey(components);
        return new ItemKey(
                EffectiveKeys.of(container.key(), partitionKey), partitionKey, RowKey.ofText(id));
    }

    private PartitionId home(Container container, ItemKey key) {
        return live(container).stream()
                .filter(partition -> partition.keys.contains(key.epk()))
                .map(partition -> partition.id)
                .findFirst()
                .orElseGet(() -> container.partition(0));
    }

    private PartitionId anyPartition(Container container) {
        List<PartitionModel.Partition> live = live(container);
        return live.isEmpty() || random.nextInt(20) == 0
                ? container.partition(random.nextInt(container.ranges().size()))
                : live.get(random.nextInt(live.size())).id;
    }

    private Bytes body(ItemKey key) {
        StringBuilder json = new StringBuilder("{\"id\":\"").append(key.rowKey()).append('"');
        if (random.nextBoolean()) {
            json.append(",\"a\":").append(random.nextInt(3));
        }
        if (random.nextBoolean()) {
            json.append(",\"text\":\"").append("x".repeat(random.nextInt(400))).append('"');
        }
        if (random.nextInt(3) == 0) {
            json.append(",\"tags\":[1,\"t\",").append(random.nextInt(4)).append(",{\"z\":null}]");
        }
        if (random.nextInt(3) == 0) {
            json.append(",\"nested\":{\"b\":").append(random.nextDouble()).append('}');
        }
        if (random.nextInt(3) != 0) {
            json.append(",\"u\":").append(random.nextInt(9));
        }
        if (random.nextInt(4) == 0) {
            json.append(",\"ttl\":").append(random.nextInt(4) == 0 ? -1 : 1 + random.nextInt(30));
        }
        if (random.nextInt(3) == 0) {
            json.append(",\"place\":{\"type\":\"LineString\",\"coordinates\":[[0,")
                    .append(random.nextInt(100))
                    .append("],[1,1]]}");
        }
        return Bytes.ofUtf8(json.append('}').toString());
    }

    /** Returns the lifetime that a body of this load names; 0 for none. */
    static int lifetime(Bytes body) {
        Matcher found = LIFETIME.matcher(body.toUtf8());
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }

    /** Leaders' clocks differ by some seconds either way. */
    private long stamp() {
        return clockMillis - 3000 + random.nextInt(6000);
    }

    private RequestId nextRequest() {
        return new RequestId(random.nextLong(), requests++);
    }
}
