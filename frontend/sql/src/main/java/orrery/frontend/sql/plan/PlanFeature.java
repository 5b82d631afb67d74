package orrery.frontend.sql.plan;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** The abilities of a client that a plan needs, by the names that SDKs announce. */
public enum PlanFeature {
    AGGREGATE("Aggregate"),
    COUNT_IF("CountIf"),
    DISTINCT("Distinct"),
    DISTINCT_COUNT("DCount"),
    GROUP_BY("GroupBy"),
    LIST_AND_SET_AGGREGATE("ListAndSetAggregate"),
    MULTIPLE_ORDER_BY("MultipleOrderBy"),
    NON_VALUE_AGGREGATE("NonValueAggregate"),
    OFFSET_AND_LIMIT("OffsetAndLimit"),
    ORDER_BY("OrderBy"),
    TOP("Top");

    private static final Map<String, PlanFeature> BY_NAME = new HashMap<>();

    static {
        for (PlanFeature feature : values()) {
            BY_NAME.put(feature.wireName, feature);
        }
    }

    private final String wireName;

    PlanFeature(String wireName) {
        this.wireName = wireName;
    }

    /** Parses a list as SDKs send it. The names of other features mean nothing to our plans. */
    public static Set<PlanFeature> parse(String list) {
        Set<PlanFeature> features = EnumSet.noneOf(PlanFeature.class);
        for (String name : list.split(",", -1)) {
            PlanFeature feature = BY_NAME.get(name.strip());
            if (feature != null) {
                features.add(feature);
            }
        }
        return features;
    }

    static void require(Set<PlanFeature> supported, Set<PlanFeature> needed) {
        List<PlanFeature> missing =
                Arrays.stream(values())
                        .filter(feature -> needed.contains(feature) && !supported.contains(feature))
                        .toList();
        if (missing.isEmpty()) {
            return;
        }
        StringBuilder message =
                new StringBuilder(
                        "Query contains 1 or more unsupported features. Upgrade your SDK to a"
                                + " version that does support the requested features:");
        for (PlanFeature feature : missing) {
            message.append("\r\nQuery contained ")
                    .append(feature.wireName)
                    .append(", which the calling client does not support.");
        }
        throw new OrreryException(ErrorCode.BAD_REQUEST, message.toString());
    }
}
