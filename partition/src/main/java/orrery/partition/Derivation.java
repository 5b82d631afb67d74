package orrery.partition;

import java.util.List;
import java.util.stream.Stream;
import orrery.document.IndexPlan;
import orrery.document.IndexTerms;
import orrery.model.Bytes;
import orrery.model.Derived;
import orrery.model.DerivedRow;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.SizeLimits;
import orrery.partition.machine.Command;
import orrery.partition.machine.OpenDefinition;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.PreparedTerms;

/**
 * Makes of a body everything that its command needs for the index, at the leader and before the
 * log: what only an expression can give is logged, and terms save the applying thread their
 * extraction.
 */
final class Derivation {
    private Derivation() {}

    /**
     * @param policyVersion of the definition
     */
    static Derived of(
            OpenDefinition definition,
            int policyVersion,
            Encoding encoding,
            Bytes body,
            long seconds) {
        IndexPlan plan = definition.currentPlan();
        if (!plan.needsDerived()) {
            return Derived.NONE;
        }
        Derived computed =
                ComputedCache.of(definition).derive(plan, policyVersion, encoding, body, seconds);
        List<DerivedRow> matched = PartialIndexes.matched(plan.uniques(), encoding, body);
        return matched.isEmpty()
                ? computed
                : new Derived(
                        policyVersion,
                        computed.seconds(),
                        Stream.concat(computed.rows().stream(), matched.stream()).toList());
    }

    static Command.ItemChange complete(
            Command.ItemChange change, PartitionState state, long stampMillis) {
        return change instanceof Command.ItemChange.Storing put
                ? complete(put, state, stampMillis)
                : change;
    }

    /** Gives a change what a partition in this state needs if it is written at this time. */
    static Command.ItemChange.Storing complete(
            Command.ItemChange.Storing put, PartitionState state, long stampMillis) {
        int policyVersion = state.record().policyVersion();
        PartialIndexes.refuseParallelArrays(
                state.definition().currentPlan().uniques(), put.encoding(), put.body());
        long seconds = Math.max(stampMillis, state.record().timeMillis()) / 1000;
        Derived derived =
                of(state.definition(), policyVersion, put.encoding(), put.body(), seconds);
        checkSize(state.definition().current().definition().kind().limits(), derived);
        IndexTerms terms =
                state.definition()
                        .currentPlan()
                        .extract(put.encoding(), put.body(), seconds, derived.rows());
        return put.with(derived, new PreparedTerms(policyVersion, seconds, terms));
    }

    /**
     * Refuses an item whose computed values are larger than an item. They are logged and stored
     * beside it, so they must be bounded as it is.
     */
    private static void checkSize(SizeLimits limits, Derived derived) {
        long bytes = derived.rows().stream().mapToLong(row -> row.value().length()).sum();
        if (bytes > limits.maxItemBytes()) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE,
                    "The computed properties of the item have "
                            + bytes
                            + " bytes, and those of one item may have "
                            + limits.maxItemBytes()
                            + ". Make the item smaller, or take computed properties with large"
                            + " values out of the index.");
        }
    }

    /** Returns the bytes in memory of the terms that were prepared for a change. */
    static long termBytes(Command.ItemChange.Storing put) {
        PreparedTerms prepared = put.prepared();
        return prepared == null ? 0 : prepared.terms().heapBytes();
    }
}
