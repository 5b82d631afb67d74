package orrery.query.execute;

import java.util.List;

/** The source of the candidates of a query. */
sealed interface AccessPath {
    /** Every item is read. */
    record Scan() implements AccessPath {}

    /** No item can match. */
    record Nowhere() implements AccessPath {}

    /**
     * @param choices which condition of each conjunction was taken, from the outside in
     */
    record Entries(List<Integer> choices, List<Branch> branches) implements AccessPath {
        public Entries {
            choices = List.copyOf(choices);
            branches = List.copyOf(branches);
        }

        /** Returns true if the entries come in the order of their docids. */
        boolean isByDocid() {
            return branches.size() == 1 && branches.getFirst().isPoint();
        }
    }
}
