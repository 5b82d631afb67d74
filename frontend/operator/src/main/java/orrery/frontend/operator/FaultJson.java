package orrery.frontend.operator;

import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.gateway.api.Fault;
import orrery.model.Bytes;
import orrery.model.ErrorCode;

/** {@code {"status":429,"count":10}} or {@code {"status":503,"rate":0.1}}; empty for none. */
final class FaultJson {
    private FaultJson() {}

    static Value.Obj write(Optional<Fault> fault) {
        Json.Builder json = Json.builder();
        fault.ifPresent(
                set -> {
                    json.put("status", set.code().status());
                    switch (set.extent()) {
                        case Fault.Extent.Next(int count) -> json.put("count", count);
                        case Fault.Extent.Share(double rate) -> json.put("rate", Value.of(rate));
                    }
                });
        return json.build();
    }

    static Fault parse(Bytes body) {
        BodyReader reader = BodyReader.of(body);
        long status =
                reader.integer("status").orElseThrow(() -> reader.refused("status", "is missing"));
        OptionalLong count = reader.integer("count");
        Optional<Value> rate = reader.find("rate");
        reader.finish();
        ErrorCode code =
                Fault.ofStatus(Math.clamp(status, 0, 999))
                        .orElseThrow(
                                () ->
                                        reader.refused(
                                                "status", "must be 408, 410, 429, 449 or 503"));
        if (count.isPresent() && rate.isPresent()) {
            throw reader.refused("count", "and 'rate' exclude each other");
        }
        if (count.isPresent()) {
            if (count.getAsLong() < 1 || count.getAsLong() > Integer.MAX_VALUE) {
                throw reader.refused("count", "must be at least 1 and at most 2147483647");
            }
            return new Fault(code, new Fault.Extent.Next((int) count.getAsLong()));
        }
        double share = rate.map(value -> number(reader, value)).orElse(1.0);
        if (!(share > 0 && share <= 1)) {
            throw reader.refused("rate", "must be above 0 and at most 1");
        }
        return new Fault(code, new Fault.Extent.Share(share));
    }

    private static double number(BodyReader reader, Value value) {
        return switch (value) {
            case Value.Int(long number) -> number;
            case Value.Real(double number) -> number;
            default -> throw reader.refused("rate", "must be a number");
        };
    }
}
