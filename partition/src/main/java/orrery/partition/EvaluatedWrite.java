package orrery.partition;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.query.write.Images;

/**
 * Carries out a write whose change is computed from the version that is there: looks, computes, and
 * writes on the condition that the item is still what was seen. If another write came between, it
 * looks again, until the caller's time is over.
 */
final class EvaluatedWrite {
    private final WriteRun writeRun;
    private final WriteAction.Computed action;
    private final ChangeEvaluation evaluation;
    private final ItemKey scope;
    private final KeySize keySize;

    /**
     * @param scope any key of the logical partition
     */
    EvaluatedWrite(
            WriteRun writeRun,
            WriteAction.Computed action,
            ChangeEvaluation evaluation,
            ItemKey scope,
            KeySize keySize) {
        this.writeRun = writeRun;
        this.action = action;
        this.evaluation = evaluation;
        this.scope = scope;
        this.keySize = keySize;
    }

    /** The item as the leader saw it. */
    sealed interface Sight {
        /** The cost of looking. */
        Charge charge();

        /** An item under a key that the request names. */
        record Named(ItemKey key, Optional<Item> present) implements Sight {
            @Override
            public Charge charge() {
                return Charge.NONE;
            }
        }

        record Found(ItemKey key, Item present, Charge charge) implements Sight {}

        /**
         * @param lastWrite the LSN of the logical partition's last write: nothing matches as long
         *     as it is this one
         */
        record Nothing(long lastWrite, Charge charge) implements Sight {}
    }

    /** A change, and what it was computed from. */
    private record Computed(
            ChangeEvaluation.Change change,
            Optional<Item> present,
            OptionalLong lastWrite,
            Charge search) {
        boolean isStale(Outcome outcome) {
            return outcome instanceof Outcome.Rejected rejected
                    && (lastWrite.isPresent()
                            ? rejected.code() == ErrorCode.RETRY_WITH
                            : change.isStale(rejected.code()));
        }
    }

    WriteResponse.Written run(Supplier<Sight> look) {
        for (int attempt = 0; ; attempt++) {
            Computed computed;
            try {
                computed = compute(look.get());
            } catch (OrreryException refusal) {
                if (isFinal(refusal)) {
                    throw refusal;
                }
                return carriedOutBefore(attempt).orElseThrow(() -> refusal);
            }
            if (computed.change().isNone()) {
                // The log is asked here too: the item may be what this very write made of it.
                return carriedOutBefore(attempt).orElseGet(() -> unchanged(computed));
            }
            KeptWrite kept = kept(computed);
            if (attempt == 0) {
                kept.body().ifPresent(HeldItem::take);
                kept.before().map(Item::body).ifPresent(HeldItem::take);
            }
            WriteRun.Decision decision =
                    writeRun.submit(
                            attempt,
                            List.of(computed.change().change()),
                            computed.lastWrite(),
                            writeRun.isStated() ? kept.encodeWithoutImages() : kept.encode());
            if (decision.isRepeated() && decision.outcome() instanceof Outcome.Written written) {
                return repeated(decision, written);
            }
            if (!computed.isStale(decision.outcome())) {
                return answer(decision, kept);
            }
            if (writeRun.isTimeOver()) {
                throw new OrreryException(
                        ErrorCode.RETRY_WITH,
                        "The item kept changing while the write was evaluated. Retry.");
            }
        }
    }

    private Computed compute(Sight sight) {
        return switch (sight) {
            case Sight.Named(ItemKey key, Optional<Item> present) ->
                    new Computed(
                            evaluation.of(key, present, still(present)),
                            present,
                            OptionalLong.empty(),
                            Charge.NONE);
            case Sight.Found(ItemKey key, Item item, Charge charge) -> {
                Optional<Item> present = Optional.of(item);
                yield new Computed(
                        evaluation.of(key, present, still(present)),
                        present,
                        OptionalLong.empty(),
                        charge);
            }
            case Sight.Nothing(long lastWrite, Charge charge) -> {
                try {
                    yield new Computed(
                            evaluation.onAbsence(scope),
                            Optional.empty(),
                            OptionalLong.of(lastWrite),
                            charge);
                } catch (OrreryException refusal) {
                    throw refusal.withCharge(refusal.charge().plus(charge));
                }
            }
        };
    }

    private static Precondition still(Optional<Item> present) {
        return present.<Precondition>map(item -> new Precondition.Matches(item.etag()))
                .orElse(Precondition.NONE);
    }

    private KeptWrite kept(Computed computed) {
        Images images = action.images();
        return new KeptWrite(
                computed.change().target().rowKey(),
                computed.search(),
                true,
                images.before() ? computed.present() : Optional.empty(),
                images.after() ? computed.change().body() : Optional.empty());
    }

    /**
     * A write that was carried out may no longer fit the item it made: a resend must hear of its
     * success, not of a failed condition. Only the log knows, so it is asked, with a change that
     * cannot be made. Attempts of the first run that were refused as stale come before the one that
     * was carried out.
     */
    private Optional<WriteResponse.Written> carriedOutBefore(int attempt) {
        for (int earlier = attempt; ; earlier++) {
            WriteRun.Decision first =
                    writeRun.submit(
                            earlier,
                            List.of(
                                    new Command.ItemChange.Remove(
                                            scope, new Precondition.Impossible())));
            if (first.outcome() instanceof Outcome.Written written) {
                return Optional.of(repeated(first, written));
            }
            if (isGone(first.outcome())) {
                throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
            }
            if (!first.isRepeated()) {
                return Optional.empty();
            }
        }
    }

    /** Another partition is asked, or there is no time to ask. */
    private static boolean isFinal(OrreryException refusal) {
        return refusal.code() == ErrorCode.RANGE_GONE || refusal.code() == ErrorCode.TIMEOUT;
    }

    private WriteResponse.Written unchanged(Computed computed) {
        Item present = computed.present().orElseThrow();
        Images images = action.images();
        return new WriteResponse.Written(
                WriteResponse.Change.UNCHANGED,
                Optional.of(images.after() ? present : present.withBody(Bytes.EMPTY)),
                images.before() ? computed.present() : Optional.empty(),
                Math.max(present.lsn(), writeRun.state().record().headLsn()),
                RequestCharge.refusedWrite(Charges.billedBytes(present.body()))
                        .plus(computed.search()));
    }

    /** Another partition has the key by now, and knows what was carried out. */
    private static boolean isGone(Outcome outcome) {
        return outcome instanceof Outcome.Rejected rejected
                && rejected.code() == ErrorCode.RANGE_GONE;
    }

    /**
     * The answer to a resend: that of the first run. Where what it made was too long to be kept,
     * the present version stands for it.
     */
    private WriteResponse.Written repeated(WriteRun.Decision decision, Outcome.Written written) {
        KeptWrite kept = KeptWrite.decode(decision.answer());
        if (kept.isWhole()) {
            return answer(decision, kept);
        }
        if (action.images().before()) {
            throw new OrreryException(
                    ErrorCode.TIMEOUT,
                    "This write was carried out before. Its images were too long to be kept: they"
                            + " have more than 64 KB. Read the item.");
        }
        Outcome.ItemOutcome item = written.items().getFirst();
        Optional<Item> present = writeRun.stored(scope.withRowKey(kept.item()));
        return new WriteResponse.Written(
                WriteRun.change(item),
                Optional.of(present.orElseGet(() -> decision.version(written, item, null))),
                Optional.empty(),
                Math.max(written.lsn(), present.map(Item::lsn).orElse(0L)),
                charge(kept, item));
    }

    private WriteResponse.Written answer(WriteRun.Decision decision, KeptWrite kept) {
        Outcome.Written written = decision.written(keySize);
        Outcome.ItemOutcome item = written.items().getFirst();
        return new WriteResponse.Written(
                WriteRun.change(item),
                decision.versionAfter(written, item, kept.body().orElse(null)),
                kept.before(),
                written.lsn(),
                charge(kept, item));
    }

    private Charge charge(KeptWrite kept, Outcome.ItemOutcome item) {
        Charge charge = Charges.of(action, item).plus(kept.search());
        return writeRun.isStated() ? charge.plus(RequestCharge.images(kept.imageBytes())) : charge;
    }
}
