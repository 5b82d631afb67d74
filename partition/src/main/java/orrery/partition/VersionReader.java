package orrery.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.LongWork;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.VersionPlace;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.machine.PartitionState;
import orrery.storage.StoreSnapshot;
import orrery.storage.format.JournalRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Reads every version and every delete from the journals of a partition, a page at a time, in the
 * order of their LSNs.
 */
public final class VersionReader {
    /** Rows that a page looks at before it ends, whether or not they were wanted. */
    private static final int MAX_EXAMINED = 10_000;

    /** The bytes of a version in a message besides its key and bodies: at most so many. */
    private static final int VERSION_BYTES = 256;

    private final Replica replica;
    private final PartitionState state;
    private final int maxExamined;

    public VersionReader(Replica replica, PartitionState state) {
        this(replica, state, MAX_EXAMINED);
    }

    /**
     * @param maxExamined rows that a page looks at
     */
    public VersionReader(Replica replica, PartitionState state, int maxExamined) {
        this.replica = replica;
        this.state = state;
        this.maxExamined = maxExamined;
    }

    public ReadResponse.Versions read(ReadRequest.ReadVersions request) {
        try (StoreSnapshot snapshot = replica.store().snapshot()) {
            // Journals, LSN and rows have to be of one moment, so the record comes from there too.
            PartitionRecord partition =
                    ChangeFeedReader.partition(request.partition(), request.minLsn(), snapshot);
            if (partition.journals().isEmpty()) {
                throw notKept();
            }
            Optional<KeyRange> keys = request.clip().intersect(partition.keys());
            VersionPlace after = request.after();
            if (keys.isPresent() && !after.isNow()) {
                checkIsKept(partition, keys.get(), request);
            }
            long headLsn = partition.headLsn();
            if (keys.isEmpty() || after.wholeLsn() >= headLsn) {
                return new ReadResponse.Versions(
                        List.of(),
                        VersionPlace.after(
                                after.isNow() ? headLsn : Math.max(after.wholeLsn(), headLsn)),
                        headLsn,
                        RequestCharge.feedPage(0, 0));
            }
            return new Page(request, snapshot, partition, keys.get()).read(partition);
        }
    }

    private static OrreryException notKept() {
        return new OrreryException(
                ErrorCode.VERSIONS_NOT_KEPT,
                "All Versions and Deletes must be enabled for the change feed of the container. Set"
                        + " the retentionDuration of its changeFeedPolicy, in minutes, and read what"
                        + " changes from then on.");
    }

    /**
     * Refuses a reader whose next versions are not kept any more. One who begins at a time needs
     * none from before it.
     */
    private void checkIsKept(
            PartitionRecord partition, KeyRange keys, ReadRequest.ReadVersions request) {
        long afterLsn = request.after().wholeLsn();
        boolean isByTime = afterLsn == 0 && request.sinceMillis() > 0;
        for (PartitionRecord.Journal journal : partition.journals()) {
            boolean isMissing =
                    afterLsn < journal.floorLsn()
                            && !(isByTime && request.sinceMillis() > journal.floorMillis());
            if (isMissing && journal.segment().clip().overlaps(keys)) {
                throw new OrreryException(
                                ErrorCode.VERSIONS_LOST,
                                "You must read the change feed from within the retention period."
                                        + " Changes after this continuation are not kept any more:"
                                        + " the container keeps versions and deletes for "
                                        + state.definition()
                                                .current()
                                                .definition()
                                                .changeRetentionMinutes()
                                        + " minutes. Read from now, or the latest versions.")
                        .withCharge(Charge.NONE);
            }
        }
    }

    /** One page being filled. */
    private final class Page {
        private final ReadRequest.ReadVersions request;
        private final StoreSnapshot snapshot;
        private final PartitionKeyDefinition definition;
        private final FeedBounds bounds;
        private final EarlierVersions earlier;
        private final LsnPage<ItemVersion> versions;
        private final LongWork work = new LongWork();

        Page(
                ReadRequest.ReadVersions request,
                StoreSnapshot snapshot,
                PartitionRecord partition,
                KeyRange keys) {
            this.request = request;
            this.snapshot = snapshot;
            this.versions =
                    new LsnPage<>(request.maxItems(), request.maxBytes(), LsnPage.Alone.IS_CUT);
            this.earlier =
                    new EarlierVersions(
                            snapshot, request.partition().container(), partition.journals());
            this.definition = state.definition().current().definition().partitionKey();
            this.bounds =
                    new FeedBounds(
                            request.partition().container(),
                            keys,
                            request.partitionKey(),
                            definition);
        }

        ReadResponse.Versions read(PartitionRecord partition) {
            int container = request.partition().container();
            int examined = 0;
            VersionPlace next = VersionPlace.after(partition.headLsn());
            VersionPlace passed = request.after();
            long passedLsn = passed.wholeLsn();
            try (ChangeWalk walk =
                    ChangeWalk.ofJournals(
                            snapshot,
                            container,
                            partition.journals(),
                            request.after(),
                            request.sinceMillis())) {
                while (walk.next()) {
                    work.step();
                    boolean mayEnd = walk.lsn() != passed.lsn();
                    if (mayEnd) {
                        passedLsn = passed.lsn();
                    }
                    boolean isWanted =
                            walk.isOwn()
                                    && bounds.contains(Keys.item(container, walk.itemSuffix()));
                    if ((mayEnd && examined >= maxExamined) || (isWanted && !add(walk))) {
                        next =
                                versions.lastLsn() == walk.lsn()
                                        ? passed
                                        : VersionPlace.after(passedLsn);
                        break;
                    }
                    passed = place(walk);
                    examined++;
                }
            }
            return new ReadResponse.Versions(
                    placed(next),
                    next,
                    partition.headLsn(),
                    RequestCharge.feedPage(
                            versions.size(),
                            versions.results().stream().mapToLong(Page::billedBytes).sum()));
        }

        /** Nothing follows the last version of an LSN that the page has passed as a whole. */
        private List<ItemVersion> placed(VersionPlace next) {
            List<ItemVersion> results = versions.results();
            List<ItemVersion> placed = new ArrayList<>(results.size());
            for (int i = 0; i < results.size(); i++) {
                ItemVersion version = results.get(i);
                boolean isLast =
                        i + 1 == results.size() || results.get(i + 1).lsn() != version.lsn();
                placed.add(
                        isLast && next.wholeLsn() >= version.lsn()
                                ? version.at(VersionPlace.after(version.lsn()))
                                : version);
            }
            return placed;
        }

        private static VersionPlace place(ChangeWalk walk) {
            return VersionPlace.within(
                    walk.lsn(), walk.place().birthSegment(), walk.place().ordinal());
        }

        private static long billedBytes(ItemVersion version) {
            return (long) Charges.billedBytes(version.item().body())
                    + version.previous().map(item -> Charges.billedBytes(item.body())).orElse(0);
        }

        /** False if the version has to wait for the next page. */
        private boolean add(ChangeWalk walk) {
            JournalRecord record = JournalRecord.decode(walk.value().unsafeArray());
            if (record.header().timeMillis() < request.sinceMillis()) {
                return true;
            }
            Optional<Item> previous = record.before();
            if (previous.isEmpty()
                    && record.header().operation() == ItemVersion.Operation.REPLACE) {
                previous = earlier.before(record, walk.place());
            }
            ItemVersion version = record.toVersion(walk.lsn(), place(walk), definition, previous);
            long size = billedBytes(version) + walk.itemSuffix().length() + VERSION_BYTES;
            if (!versions.add(version, walk.lsn(), size)) {
                return false;
            }
            HeldItem.take(record.item().body());
            previous.ifPresent(item -> HeldItem.take(item.body()));
            return true;
        }
    }
}
