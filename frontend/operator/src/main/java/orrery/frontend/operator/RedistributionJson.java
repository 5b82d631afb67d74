package orrery.frontend.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.gateway.api.Redistribution;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Throughput;
import orrery.model.resource.PartitionMap;

/**
 * {@code {"equal":true}} or {@code {"targets":[{"range":1,"ru":6000}],"sources":[{"range":0}]}},
 * and what each range has then.
 */
final class RedistributionJson {
    private static final String EQUAL = "equal";
    private static final String TARGETS = "targets";
    private static final String SOURCES = "sources";

    private RedistributionJson() {}

    static Redistribution parse(Bytes body) {
        BodyReader reader = BodyReader.of(body);
        boolean equal = reader.bool(EQUAL).orElse(false);
        List<BodyReader> targets = reader.objects(TARGETS);
        List<BodyReader> sources = reader.objects(SOURCES);
        reader.finish();
        if (equal == !targets.isEmpty() || (equal && !sources.isEmpty())) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Send either {\"equal\":true} or"
                            + " {\"targets\":[{\"range\":ID,\"ru\":RU/s}],\"sources\":[{\"range\":ID}]}.");
        }
        return equal
                ? new Redistribution.Equal()
                : new Redistribution.Custom(
                        ranges(targets, "ru", OptionalLong.empty()),
                        ranges(sources, "atLeast", OptionalLong.of(Redistribution.LEAST_RU)));
    }

    private static Map<Integer, Integer> ranges(
            List<BodyReader> objects, String amount, OptionalLong otherwise) {
        Map<Integer, Integer> ranges = new TreeMap<>();
        for (BodyReader each : objects) {
            int range = bounded(each, "range", OptionalLong.empty());
            int ru = bounded(each, amount, otherwise);
            each.finish();
            if (ranges.put(range, ru) != null) {
                throw new OrreryException(
                        ErrorCode.BAD_REQUEST, "Range " + range + " is named twice.");
            }
        }
        return ranges;
    }

    private static int bounded(BodyReader reader, String name, OptionalLong otherwise) {
        OptionalLong given = reader.integer(name);
        long number =
                (given.isPresent() ? given : otherwise)
                        .orElseThrow(() -> reader.refused(name, "is missing"));
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw reader.refused(name, "is out of bounds");
        }
        return (int) number;
    }

    static Value.Obj write(PartitionMap map, Throughput throughput) {
        List<Value> partitions = new ArrayList<>();
        for (int i = 0; i < map.partitions().size(); i++) {
            double fraction = map.fraction(i);
            partitions.add(
                    Json.builder()
                            .put("id", map.partitions().get(i).range())
                            .put(
                                    "ru",
                                    Value.of(
                                            Math.rint(throughput.ceiling() * fraction * 100) / 100))
                            .put("throughputFraction", Value.of(fraction))
                            .build());
        }
        return Json.object("partitions", new Value.Array(partitions));
    }
}
