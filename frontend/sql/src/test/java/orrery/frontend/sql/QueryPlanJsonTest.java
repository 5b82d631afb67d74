package orrery.frontend.sql;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.frontend.sql.plan.PlanFeature;
import orrery.frontend.sql.plan.QueryPlan;
import orrery.frontend.sql.plan.QueryPlanner;
import orrery.model.Encoding;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.query.evaluate.Evaluator;
import orrery.query.syntax.QueryParser;

final class QueryPlanJsonTest {
    private static final Map<String, Value> PARAMETERS =
            Map.of("@n", Value.of(42), "@name", Value.of("key"));
    private static final PartitionKeyDefinition KEY =
            definition(PartitionKeyDefinition.Kind.HASH, "/key");

    private static PartitionKeyDefinition definition(
            PartitionKeyDefinition.Kind kind, String paths) {
        return new PartitionKeyDefinition(
                Arrays.stream(paths.split(", ", -1)).map(PropertyPath::parse).toList(),
                kind,
                2,
                false);
    }

    @Test
    void plansAreTheServices() {
        TextCases.run("plans.test", QueryPlanJsonTest::plan);
    }

    private static String plan(String text) {
        String query = text;
        PartitionKeyDefinition definition = KEY;
        Set<PlanFeature> features = EnumSet.allOf(PlanFeature.class);
        int end = text.indexOf('\n');
        if (end > 0) {
            String[] option = text.substring(0, end).split(": ", 2);
            query = text.substring(end + 1);
            switch (option[0]) {
                case "key" -> definition = definition(PartitionKeyDefinition.Kind.HASH, option[1]);
                case "hierarchical" ->
                        definition = definition(PartitionKeyDefinition.Kind.MULTI_HASH, option[1]);
                case "features" -> features = PlanFeature.parse(option[1]);
                default -> throw new IllegalArgumentException(option[0]);
            }
        }
        try {
            QueryPlan plan =
                    QueryPlanner.plan(
                            QueryParser.query(query),
                            new Evaluator(PARAMETERS),
                            definition,
                            Encoding.JSON,
                            features);
            return describe(plan, definition);
        } catch (OrreryException refusal) {
            return refusal.text().replace("\r\n", "\n");
        }
    }

    private static String describe(QueryPlan plan, PartitionKeyDefinition definition) {
        Map<String, Value> json = QueryPlanJson.of(plan, Optional.empty(), definition).properties();
        Map<String, Value> info = ((Value.Obj) requireNonNull(json.get("queryInfo"))).properties();
        assertThat(info).hasSize(14);
        List<String> lines = new ArrayList<>();
        info.forEach(
                (name, value) -> {
                    boolean isDefault =
                            value.equals(Value.Null.NULL)
                                    || value.equals(Value.of(false))
                                    || value.equals(Value.of("None"))
                                    || value.equals(Json.EMPTY_ARRAY)
                                    || value.equals(Json.EMPTY_OBJECT);
                    if (!isDefault && !name.equals("rewrittenQuery")) {
                        lines.add(name + ": " + JsonText.write(value));
                    }
                });
        lines.add(
                plan.keys()
                        .map(keys -> keys.isEmpty() ? "nowhere" : "keys " + keys)
                        .orElse("everywhere"));
        assertThat(((Value.Array) requireNonNull(json.get("queryRanges"))).elements()).isNotEmpty();
        if (!plan.rewritten().isEmpty()) {
            lines.add(plan.rewritten());
            QueryParser.query(plan.rewritten().replace(QueryPlan.FILTER, "true"));
        }
        return String.join("\n", lines);
    }
}
