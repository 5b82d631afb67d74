package orrery.partition.audit;

import java.util.ArrayList;
import java.util.List;

/** The faults that an audit found, in sentences; after the first hundred only their number. */
final class Findings {
    private static final int MAX_KEPT = 100;

    private final List<String> kept = new ArrayList<>();
    private long dropped;

    void add(String finding) {
        if (kept.size() < MAX_KEPT) {
            kept.add(finding);
        } else {
            dropped++;
        }
    }

    void expectEqual(String what, long expected, long found) {
        if (expected != found) {
            add("%s: the record says %d, the rows say %d".formatted(what, expected, found));
        }
    }

    List<String> toList() {
        if (dropped == 0) {
            return List.copyOf(kept);
        }
        List<String> all = new ArrayList<>(kept);
        all.add("and " + dropped + " more");
        return List.copyOf(all);
    }
}
