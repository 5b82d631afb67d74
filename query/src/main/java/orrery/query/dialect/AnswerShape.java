package orrery.query.dialect;

/**
 * How the rows of a query become its answer, as far as the engine has to know.
 *
 * @param readsItems false if the query has one row, whatever the container holds
 * @param isDistinct whether equal results are given once
 * @param isGrouped whether rows become groups, which have results only when all rows are known
 * @param isGroupedInOrder whether the groups come in an order that the query names
 * @param isSorted whether the results of several partitions are merged by their sort keys
 * @param isSortedByResult whether equal results come one after the other, because the query sorts
 *     by them
 */
public record AnswerShape(
        boolean readsItems,
        boolean isDistinct,
        boolean isGrouped,
        boolean isGroupedInOrder,
        boolean isSorted,
        boolean isSortedByResult) {
    /** Returns true if the results of partitions, one after the other, are the answer. */
    public boolean isConcatenation() {
        return !isDistinct && !isGrouped && !isSorted;
    }
}
