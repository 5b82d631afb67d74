package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.index.ValueRanges;

/** The items that the branches of an access path lead to, branch after branch. */
final class EntryCandidates implements Candidates {
    private final ItemSource source;
    private final Work work;
    private final List<Branch> branches;
    private final List<Integer> choices;
    private final boolean isDecided;

    private int branch;
    private @Nullable RangeWalk walk;
    private List<ItemSource.EntryCursor> probes = List.of();

    /** Where the page began, and the last entry that was looked at since. */
    private final @Nullable Position begin;

    private byte @Nullable [] lastRow;
    private int lastBranch;
    private int lastTermStart;
    private int lastTermEnd;
    private long lastDocid;
    private @Nullable Position start;

    /**
     * @param isDecided whether the entries leave nothing to be checked on the items
     */
    EntryCandidates(
            ItemSource source,
            Work work,
            AccessPath.Entries path,
            boolean isDecided,
            Optional<Position> start) {
        this.isDecided = isDecided;
        this.source = source;
        this.work = work;
        this.branches = path.branches();
        this.choices = path.choices();
        this.start = start.orElse(null);
        this.begin = this.start;
        this.branch = start.map(Position::branch).orElse(0);
    }

    @Override
    public Step next() {
        while (branch < branches.size()) {
            if (work.isEnough() && (lastRow != null || begin != null)) {
                return Step.PAUSED;
            }
            RangeWalk entries = open();
            if (!advance(entries)) {
                closeWalk();
                branch++;
                continue;
            }
            work.entry();
            pass(entries.entry());
            Branch present = branches.get(branch);
            boolean passes =
                    present.driver().isEmpty()
                            || present.driver()
                                    .get()
                                    .passes(entries.entry().row(), entries.valueAt());
            if (passes && hasProbes(entries)) {
                return Step.FOUND;
            }
        }
        return Step.FINISHED;
    }

    /** A position is made of it when one is asked for, which is seldom. */
    private void pass(ItemSource.EntryCursor entry) {
        lastRow = entry.row();
        lastBranch = branch;
        lastTermStart = entry.termStart();
        lastTermEnd = entry.termEnd();
        lastDocid = entry.docid();
    }

    private RangeWalk open() {
        if (walk == null) {
            Branch present = branches.get(branch);
            walk = new RangeWalk(source, present.prefix(), present.ranges(), false);
            List<ItemSource.EntryCursor> cursors = new ArrayList<>();
            for (Bytes term : present.probes()) {
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
     * Whether the item has the other terms too. Where entries come in the order of docids, a probe
     * that finds only a later one lets the walk jump there.
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

    @Override
    public Bytes key() {
        return present().entry().key();
    }

    private RangeWalk present() {
        if (walk == null) {
            throw new IllegalStateException("there is no candidate");
        }
        return walk;
    }

    @Override
    public boolean isSure() {
        return isDecided;
    }

    @Override
    public boolean accepts(Value item) {
        Branch present = branches.get(branch);
        if (branches.size() > 1) {
            for (int i = 0; i < branch; i++) {
                if (branches.get(i).matches(item)) {
                    return false;
                }
            }
            if (!present.matches(item)) {
                return false;
            }
        }
        return !present.meetsItemsTwice()
                || present.driver().get().first(item).equals(Optional.of(present().value()));
    }

    @Override
    public Position position() {
        if (lastRow != null) {
            return new Position(
                    Position.Order.ENTRIES,
                    choices,
                    lastBranch,
                    Bytes.copyOf(lastRow, lastTermStart, lastTermEnd - lastTermStart),
                    lastDocid,
                    Position.ALL_ROWS);
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
