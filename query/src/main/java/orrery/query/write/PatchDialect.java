package orrery.query.write;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import orrery.document.Patch;
import orrery.document.PatchCodec;
import orrery.document.SystemProperties;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.query.PatchCondition;
import orrery.query.PlanningThreads;
import orrery.query.QueryRequest;

/** The partial updates of the SQL API, with their condition. The payload is a patch. */
public final class PatchDialect implements WriteDialect {
    static final PatchDialect INSTANCE = new PatchDialect();

    private static final int NUMBER = 1;
    private static final int VERSION = 1;

    private PatchDialect() {}

    public static Evaluation evaluation(Patch patch) {
        return new Evaluation(NUMBER, VERSION, PatchCodec.encode(patch));
    }

    @Override
    public int number() {
        return NUMBER;
    }

    @Override
    public int newestVersion() {
        return VERSION;
    }

    @Override
    public ItemUpdate read(int version, Bytes payload, EvaluationPlace place) {
        Patch patch = PatchCodec.decode(payload);
        Optional<PatchCondition> condition = patch.condition().map(text -> condition(text, place));
        SystemProperties system = new SystemProperties(place.rid());
        return present ->
                bodyAfter(patch, condition, present.orElseThrow(() -> absent()), system, place);
    }

    /** A long condition is made ready where long queries are. */
    private static PatchCondition condition(String text, EvaluationPlace place) {
        InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(place.nowMillis()));
        return PlanningThreads.ofProcess()
                .plan(
                        place.rid().container().orElseThrow(),
                        new QueryRequest(text, Map.of()),
                        () ->
                                PatchCondition.parse(
                                        text,
                                        clock,
                                        place.definition().geospatial(),
                                        place.computed()));
    }

    private static Optional<Bytes> bodyAfter(
            Patch patch,
            Optional<PatchCondition> condition,
            Item present,
            SystemProperties system,
            EvaluationPlace place) {
        if (condition.isPresent() && !condition.get().matches(system.read(present, _ -> true))) {
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
