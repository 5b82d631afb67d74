package orrery.query.write;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Predicate;
import orrery.document.Patch;
import orrery.document.PatchCodec;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.query.EncodedQuery;
import orrery.query.PlanningThreads;
import orrery.query.QuerySurroundings;
import orrery.query.evaluate.UserFunctions;
import orrery.query.sql.PatchCondition;

/**
 * The partial updates of the SQL API. The payload is the condition, if there is one, and the patch.
 */
public final class PatchDialect extends WriteDialect {
    static final PatchDialect INSTANCE = new PatchDialect();

    private PatchDialect() {
        super(1, 1);
    }

    public static Evaluation evaluation(Patch patch) {
        return evaluation(patch, Optional.empty());
    }

    /**
     * @param condition where it does not hold, nothing happens
     */
    public static Evaluation evaluation(Patch patch, Optional<PatchCondition> condition) {
        return INSTANCE.of(
                new BinaryWriter()
                        .optional(condition, (w, present) -> present.encoded().write(w))
                        .bytes(PatchCodec.encode(patch))
                        .toBytes());
    }

    @Override
    public ItemUpdate read(int version, Bytes payload, EvaluationPlace place) {
        BinaryReader in = new BinaryReader(payload);
        Optional<EncodedQuery> encoded = in.optional(EncodedQuery::read);
        Patch patch = PatchCodec.decode(in.bytes());
        in.expectEnd();
        Optional<Predicate<Value.Obj>> condition = encoded.map(tree -> condition(tree, place));
        SystemProperties system = new SystemProperties(place.rid());
        return present ->
                bodyAfter(patch, condition, present.orElseThrow(() -> absent()), system, place);
    }

    /** A long condition is made ready where long queries are. */
    private static Predicate<Value.Obj> condition(EncodedQuery encoded, EvaluationPlace place) {
        QuerySurroundings surroundings =
                new QuerySurroundings(
                        InstantSource.fixed(Instant.ofEpochMilli(place.nowMillis())),
                        place.definition().geospatial(),
                        UserFunctions.NONE,
                        place.computed());
        return PlanningThreads.ofProcess()
                .plan(
                        place.rid().container().orElseThrow(),
                        encoded.isShort(),
                        () -> PatchCondition.read(encoded).bind(surroundings));
    }

    private static Optional<Bytes> bodyAfter(
            Patch patch,
            Optional<Predicate<Value.Obj>> condition,
            Item present,
            SystemProperties system,
            EvaluationPlace place) {
        if (condition.isPresent() && !condition.get().test(system.read(present, _ -> true))) {
            return Optional.empty();
        }
        return Optional.of(
                place.format().patch(present.body(), patch, place.definition().partitionKey()));
    }

    private static OrreryException absent() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "A patch changes an item that exists. It cannot create one.");
    }
}
