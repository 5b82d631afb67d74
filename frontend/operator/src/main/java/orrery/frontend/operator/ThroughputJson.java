package orrery.frontend.operator;

import java.util.OptionalLong;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Throughput;

/** {@code {"manual":20000}} or {@code {"autoscale":40000}}, read with what else is known of it. */
final class ThroughputJson {
    private static final String MANUAL = "manual";
    private static final String AUTOSCALE = "autoscale";

    private ThroughputJson() {}

    static Value.Obj write(
            Throughput throughput, boolean isShared, int minimum, boolean isPending) {
        Json.Builder json =
                Json.builder()
                        .put(
                                switch (throughput.mode()) {
                                    case MANUAL -> MANUAL;
                                    case AUTOSCALE -> AUTOSCALE;
                                },
                                throughput.ceiling());
        if (throughput instanceof Throughput.Manual(int _, boolean perMinute) && perMinute) {
            json.put("perMinute", true);
        }
        return json.put("of", isShared ? "database" : "container")
                .put("minimum", minimum)
                .put("pending", isPending)
                .build();
    }

    /**
     * Parses the throughput that a request asks for. Either mode may follow either: naming it is
     * asking for it.
     *
     * @param present its budget per minute stays, which only manual throughput can have
     */
    static Throughput parse(Bytes body, Throughput present) {
        BodyReader reader = BodyReader.of(body);
        OptionalLong manual = reader.integer(MANUAL);
        OptionalLong autoscale = reader.integer(AUTOSCALE);
        reader.finish();
        if (manual.isPresent() == autoscale.isPresent()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Send either {\"manual\":RU/s} or {\"autoscale\":most RU/s}.");
        }
        boolean perMinute = present instanceof Throughput.Manual(int _, boolean on) && on;
        if (manual.isPresent()) {
            return new Throughput.Manual(bounded(reader, MANUAL, manual.getAsLong()), perMinute);
        }
        if (perMinute) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Throughput that scales by itself has no budget per minute. Switch that off"
                            + " first.");
        }
        return new Throughput.Autoscale(bounded(reader, AUTOSCALE, autoscale.orElseThrow()));
    }

    /** Checks that the value is a number in range; the engine decides which values are allowed. */
    private static int bounded(BodyReader reader, String name, long requestUnits) {
        if (requestUnits != (int) requestUnits) {
            throw reader.refused(name, "is not a possible throughput");
        }
        return (int) requestUnits;
    }
}
