package orrery.query.execute;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.query.index.PathValues;
import orrery.query.index.ValueRanges;

/**
 * The items that the branches of an access path lead to, branch after branch. Where items will be
 * read, some entries are found ahead, so that their items are read together.
 */
final class EntryCandidates implements Candidates {
    private final ItemSource source;
    private final PageWork work;
    private final List<Branch> branches;
    private final List<Integer> choices;
    private final boolean isDecided;
    private final Timings timings;
    private final ReadAhead readAhead;

    private int branch;
    private @Nullable RangeWalk walk;
    private List<ItemSource.EntryCursor> probes = List.of();

    /** The place where the page began. */
    private final @Nullable Position begin;

    private @Nullable Seen last;
    private @Nullable Position start;

    /**
     * Candidates that were found ahead of the caller; {@link #behindAhead} is the step after them.
     */
    private final Deque<Found> ahead = new ArrayDeque<>();

    private Step behindAhead = Step.FOUND;
    private @Nullable Found present;

    /** An entry; a position is made of it when one is asked for, which is seldom. */
    private static final class Seen {
        private final int branch;
        private final byte[] row;
        private final int termStart;
        private final int termEnd;
        private final long docid;

        Seen(int branch, ItemSource.EntryCursor entry) {
            this.branch = branch;
            this.row = entry.row();
            this.termStart = entry.termStart();
            this.termEnd = entry.termEnd();
            this.docid = entry.docid();
        }

        Position position(List<Integer> choices) {
            return new Position(
                    Position.Order.ENTRIES,
                    choices,
                    branch,
                    Bytes.copyOf(row, termStart, termEnd - termStart),
                    docid,
                    Position.ALL_ROWS);
        }

        Bytes value(Branch of) {
            int valueAt = termStart + of.prefix().length();
            return Bytes.copyOf(row, valueAt, termEnd - valueAt);
        }
    }

    /**
     * @param key absent where the walk is still there to tell
     */
    private record Found(Seen entry, Optional<Bytes> key, Optional<Item> item) {}

    /**
     * @param isDecided whether the entries leave nothing to be checked on the items
     * @param maxItems how many items may be read ahead; none where items are not needed
     */
    EntryCandidates(
            ItemSource source,
            PageWork work,
            AccessPath.Entries path,
            boolean isDecided,
            long maxItems,
            Timings timings,
            Optional<Position> start) {
        this.isDecided = isDecided;
        this.timings = timings;
        this.readAhead = new ReadAhead(maxItems);
        this.source = source;
        this.work = work;
        this.branches = path.branches();
        this.choices = path.choices();
        this.start = start.orElse(null);
        this.begin = this.start;
        this.branch = start.map(Position::branch).orElse(0);
    }

    /** Most steps take less time than a look at the clock. */
    @Override
    public Optional<Timings.Kind> measuredAs() {
        return Optional.empty();
    }

    @Override
    public Step next() {
        if (!readAhead.isSome()) {
            Step step = timings.measure(Timings.Kind.INDEX, this::find);
            present =
                    step == Step.FOUND && last != null
                            ? new Found(last, Optional.empty(), Optional.empty())
                            : null;
            return step;
        }
        if (ahead.isEmpty() && behindAhead == Step.FOUND) {
            behindAhead = timings.measure(Timings.Kind.INDEX, this::fill);
        }
        present = ahead.poll();
        if (present != null) {
            return Step.FOUND;
        }
        Step step = behindAhead;
        behindAhead = Step.FOUND;
        return step;
    }

    /** Reads ahead; returns what comes behind. */
    private Step fill() {
        List<Bytes> keys = new ArrayList<>();
        List<Seen> entries = new ArrayList<>();
        Step step;
        do {
            step = find();
            if (step == Step.FOUND && last != null) {
                entries.add(last);
                keys.add(current().entry().key());
            }
        } while (step == Step.FOUND && keys.size() < readAhead.items());
        List<Item> items = timings.measure(Timings.Kind.LOAD, () -> source.load(keys));
        long bytes = 0;
        for (Item item : items) {
            bytes += item.body().length();
        }
        work.readAhead(bytes);
        for (int i = 0; i < keys.size(); i++) {
            ahead.add(
                    new Found(entries.get(i), Optional.of(keys.get(i)), Optional.of(items.get(i))));
        }
        readAhead.read(bytes);
        return step;
    }

    /** The next entry that leads to a candidate. */
    private Step find() {
        while (branch < branches.size()) {
            if (work.isEnough() && (last != null || begin != null)) {
                return Step.PAUSED;
            }
            RangeWalk entries = open();
            if (!advance(entries)) {
                closeWalk();
                branch++;
                continue;
            }
            work.entry();
            ItemSource.EntryCursor entry = entries.entry();
            last = new Seen(branch, entry);
            Branch way = branches.get(branch);
            boolean passes =
                    way.driver().isEmpty()
                            || way.driver()
                                    .get()
                                    .passes(entry.row(), entries.valueAt(), work.effort());
            if (passes && hasProbes(entries)) {
                return Step.FOUND;
            }
        }
        return Step.FINISHED;
    }

    private RangeWalk open() {
        if (walk == null) {
            Branch way = branches.get(branch);
            walk = new RangeWalk(source, way.prefix(), way.ranges(), false);
            List<ItemSource.EntryCursor> cursors = new ArrayList<>();
            for (Bytes term : way.probes()) {
                cursors.add(source.entries(term, ValueRanges.after(term), false));
            }
            probes = cursors;
        }
        return walk;
    }

    private boolean advance(RangeWalk entries) {
        Position from = start;
        if (from != null) {
            start = null;
            boolean isFound = entries.seek(from.key(), from.docid());
            boolean isPassed = isFound && from.isBehind() && entries.isAt(from.key(), from.docid());
            return isPassed ? entries.next() : isFound;
        }
        return entries.next();
    }

    /**
     * Returns true if the item has the other terms too. Where entries come in the order of docids,
     * a probe that finds only a later one lets the walk jump there.
     */
    private boolean hasProbes(RangeWalk entries) {
        boolean canJump = branches.get(branch).isPoint();
        for (int i = 0; i < probes.size(); i++) {
            ItemSource.EntryCursor probe = probes.get(i);
            long docid = entries.entry().docid();
            work.entry();
            boolean found = probe.seek(branches.get(branch).probes().get(i), docid);
            if (found && probe.docid() == docid) {
                continue;
            }
            if (canJump && found) {
                // Just before it: the next step lands there.
                start =
                        new Position(
                                Position.Order.ENTRIES,
                                List.of(),
                                branch,
                                entries.entry().term(),
                                probe.docid(),
                                0);
            } else if (canJump) {
                closeWalk();
                branch++;
            }
            return false;
        }
        return true;
    }

    private RangeWalk current() {
        if (walk == null) {
            throw new IllegalStateException("there is no candidate");
        }
        return walk;
    }

    private Found present() {
        if (present == null) {
            throw new IllegalStateException("there is no candidate");
        }
        return present;
    }

    @Override
    public Bytes key() {
        return present().key().orElseGet(() -> current().entry().key());
    }

    @Override
    public Optional<Item> item() {
        return present().item();
    }

    @Override
    public boolean isSure() {
        return isDecided;
    }

    @Override
    public boolean accepts(PathValues item) {
        Seen entry = present().entry();
        Branch way = branches.get(entry.branch);
        if (branches.size() > 1) {
            for (int i = 0; i < entry.branch; i++) {
                if (branches.get(i).matches(item)) {
                    return false;
                }
            }
            if (!way.matches(item)) {
                return false;
            }
        }
        return !way.meetsItemsTwice()
                || way.driver().get().first(item).equals(Optional.of(entry.value(way)));
    }

    @Override
    public Position position() {
        if (present != null) {
            return present.entry().position(choices);
        }
        if (last != null) {
            return last.position(choices);
        }
        if (begin == null) {
            throw new IllegalStateException("nothing has been read yet");
        }
        return begin;
    }

    private void closeWalk() {
        if (walk != null) {
            walk.close();
            walk = null;
        }
        probes.forEach(ItemSource.EntryCursor::close);
        probes = List.of();
    }

    @Override
    public void close() {
        closeWalk();
    }
}
