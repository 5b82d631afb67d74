package orrery.replication.simulated;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.replication.CommandLog;
import orrery.replication.EntryLimits;

/**
 * The log of a simulated set. Each {@link #step} lets one thing happen: commands are packed, an
 * entry is committed, a replica carries out its next one, and now and then a replica crashes, the
 * leader changes or an old command arrives once more. Single-threaded; all chance comes from one
 * generator.
 *
 * <p>A proposal ends in one of two ways: with its outcome, or lost. Lost means what a timeout
 * means: it may have happened, may happen later, or never will.
 *
 * <pre>
 *   propose → waiting → in flight → committed → carried out by each replica
 *                 └──────────┴── dropped by a leader change, or committed all the same
 * </pre>
 */
public final class SimulatedLog<C, O> implements CommandLog<C, O> {
    private static final int MAX_IN_FLIGHT = 4;
    private static final int HISTORY = 200;

    private final RandomGenerator random;
    private final Codec<C> codec;
    private final EntryLimits limits;
    private final Faults faults;
    private final Observer<C, O> observer;
    private final List<Member<C, O>> members = new ArrayList<>();
    private final Deque<Proposal<C, O>> waiting = new ArrayDeque<>();
    private final Deque<Entry<C, O>> inFlight = new ArrayDeque<>();
    private final List<Entry<C, O>> committed = new ArrayList<>();
    private final Deque<Bytes> history = new ArrayDeque<>();
    private int leader;
    private long term = 1;

    /** The form of a command that followers see. */
    public record Codec<C>(Function<C, Bytes> encoder, Function<Bytes, C> decoder) {}

    /** The number of faults in a thousand steps. */
    public record Faults(int leaderChanges, int crashes, int duplicates) {
        public static final Faults NONE = new Faults(0, 0, 0);
        public static final Faults USUAL = new Faults(12, 12, 25);
    }

    /** Hears of everything in the order in which it happens. */
    public interface Observer<C, O> {
        /** An entry has its place in the log for good. */
        void committed(long position, List<C> commands);

        /** A replica has carried it out, perhaps again after a crash. */
        void applied(int replica, long position, List<O> outcomes);
    }

    /** The result of a proposal. */
    public static final class Ticket<O> {
        private @Nullable O outcome;
        private boolean lost;

        public Optional<O> outcome() {
            return Optional.ofNullable(outcome);
        }

        /** The caller hears nothing any more. */
        public boolean isLost() {
            return lost;
        }

        public boolean isPending() {
            return outcome == null && !lost;
        }
    }

    private record Proposal<C, O>(C command, Bytes encoded, Ticket<O> ticket) {}

    /** {@code term} says whether those who proposed it are still listening. */
    private record Entry<C, O>(long term, int leader, List<Proposal<C, O>> proposals) {}

    private static final class Member<C, O> {
        final SimulatedReplica<C, O> replica;

        /** The speed of the follower: slow followers fall far behind. */
        final int speed;

        /**
         * The entries that the log has handed to it; after a restart it begins again further back.
         */
        long delivered;

        Member(SimulatedReplica<C, O> replica, int speed) {
            this.replica = replica;
            this.speed = speed;
        }
    }

    public SimulatedLog(
            RandomGenerator random,
            Codec<C> codec,
            EntryLimits limits,
            Faults faults,
            List<? extends SimulatedReplica<C, O>> replicas,
            Observer<C, O> observer) {
        this.random = random;
        this.codec = codec;
        this.limits = limits;
        this.faults = faults;
        this.observer = observer;
        for (SimulatedReplica<C, O> replica : replicas) {
            members.add(new Member<>(replica, 1 + random.nextInt(8)));
        }
        leader = random.nextInt(members.size());
    }

    /** Hands a command to the leader. It happens, or not, in later steps. */
    public Ticket<O> propose(C command) {
        Ticket<O> ticket = new Ticket<>();
        Bytes encoded = codec.encoder().apply(command);
        waiting.addLast(new Proposal<>(command, encoded, ticket));
        history.addLast(encoded);
        if (history.size() > HISTORY) {
            history.removeFirst();
        }
        return ticket;
    }

    /** Proposes and lets things happen until the outcome is known. */
    @Override
    public O submit(C command, Duration timeout) {
        Ticket<O> ticket = propose(command);
        for (long steps = 0; ticket.isPending() && steps < timeout.toMillis(); steps++) {
            step();
        }
        return ticket.outcome()
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.TIMEOUT,
                                        "The leader changed. The write may or may not have"
                                                + " happened."));
    }

    /** Lets one thing happen. */
    public void step() {
        int chance = random.nextInt(1000);
        if (chance < faults.leaderChanges()) {
            changeLeader();
            return;
        }
        chance -= faults.leaderChanges();
        if (chance < faults.crashes()) {
            crash(random.nextInt(members.size()));
            return;
        }
        chance -= faults.crashes();
        if (chance < faults.duplicates() && !history.isEmpty()) {
            repeatOldCommand();
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> pack();
            case 1 -> commit();
            default -> deliver(anyMember());
        }
    }

    /** Nothing goes wrong any more until every replica has carried out all there is. */
    public void settle() {
        while (!waiting.isEmpty() || !inFlight.isEmpty()) {
            pack();
            commit();
        }
        for (int i = 0; i < members.size(); i++) {
            while (deliver(i)) {}
        }
    }

    public long committedPosition() {
        return committed.size();
    }

    public int leader() {
        return leader;
    }

    /** Another one means another leader, or one that has started anew. */
    public long term() {
        return term;
    }

    @Override
    public void close() {
        for (Member<C, O> member : members) {
            member.replica.close();
        }
    }

    private void pack() {
        if (waiting.isEmpty() || inFlight.size() == MAX_IN_FLIGHT) {
            return;
        }
        List<Proposal<C, O>> proposals = new ArrayList<>();
        long bytes = 0;
        while (!waiting.isEmpty()
                && proposals.size() < limits.maxCommands()
                && bytes < limits.maxBytes()) {
            Proposal<C, O> next = waiting.removeFirst();
            bytes += next.encoded().length();
            proposals.add(next);
        }
        inFlight.addLast(new Entry<>(term, leader, proposals));
    }

    private void commit() {
        if (inFlight.isEmpty()) {
            return;
        }
        Entry<C, O> entry = inFlight.removeFirst();
        committed.add(entry);
        observer.committed(committed.size(), decoded(entry));
    }

    /** True if there was something to do. */
    private boolean deliver(int number) {
        Member<C, O> member = members.get(number);
        if (member.delivered == committed.size()) {
            return false;
        }
        long position = ++member.delivered;
        if (position <= member.replica.appliedPosition()) {
            return true; // it came back with more than the log knew it had
        }
        Entry<C, O> entry = committed.get((int) position - 1);
        boolean isProposer = entry.term() == term && entry.leader() == number;
        List<O> outcomes =
                member.replica.apply(position, isProposer ? originals(entry) : decoded(entry));
        observer.applied(number, position, outcomes);
        if (isProposer) {
            for (int i = 0; i < outcomes.size(); i++) {
                entry.proposals().get(i).ticket().outcome = outcomes.get(i);
            }
        }
        return true;
    }

    /**
     * Some of what was in flight survives in the new leader's log and is committed late; the rest
     * is dropped. Either way nobody is told.
     */
    private void changeLeader() {
        waiting.forEach(SimulatedLog::lose);
        waiting.clear();
        int survivors = random.nextInt(inFlight.size() + 1);
        int index = 0;
        List<Entry<C, O>> all = new ArrayList<>(inFlight);
        inFlight.clear();
        for (Entry<C, O> entry : all) {
            entry.proposals().forEach(SimulatedLog::lose);
            if (index++ < survivors) {
                inFlight.addLast(entry);
            }
        }
        for (Entry<C, O> entry : committed) {
            entry.proposals().forEach(SimulatedLog::lose);
        }
        term++;
        leader = (leader + 1 + random.nextInt(members.size() - 1)) % members.size();
    }

    private static <C, O> void lose(Proposal<C, O> proposal) {
        if (proposal.ticket().isPending()) {
            proposal.ticket().lost = true;
        }
    }

    private void crash(int number) {
        if (number == leader) {
            changeLeader();
        }
        Member<C, O> member = members.get(number);
        member.replica.crash(random);
        long known = Math.min(member.replica.appliedPosition(), committed.size());
        member.delivered = known - random.nextLong(Math.min(known, 5) + 1);
    }

    /** A command sent long ago arrives again: it was delayed, or its sender did not hear. */
    private void repeatOldCommand() {
        int index = random.nextInt(history.size());
        Bytes encoded = history.stream().skip(index).findFirst().orElseThrow();
        waiting.addLast(new Proposal<>(codec.decoder().apply(encoded), encoded, new Ticket<>()));
    }

    private int anyMember() {
        int total = members.stream().mapToInt(member -> member.speed).sum();
        int chance = random.nextInt(total);
        for (int i = 0; i < members.size(); i++) {
            chance -= members.get(i).speed;
            if (chance < 0) {
                return i;
            }
        }
        throw new IllegalStateException("the speeds do not add up");
    }

    private static <C, O> List<C> originals(Entry<C, O> entry) {
        return entry.proposals().stream().map(Proposal::command).toList();
    }

    private List<C> decoded(Entry<C, O> entry) {
        return entry.proposals().stream()
                .map(proposal -> codec.decoder().apply(proposal.encoded()))
                .toList();
    }
}
