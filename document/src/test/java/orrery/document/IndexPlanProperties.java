package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.model.Bytes;
import orrery.model.IndexingPolicy;
import orrery.model.TermRules;

/** Compares extraction with a tree walk that tries every path of the policy on every value. */
final class IndexPlanProperties {
    private static final long TS = 1_700_000_000;

    /** A policy and what it means, kept side by side. */
    record Sample(
            IndexingPolicy policy,
            Map<PolicyPath, Boolean> rules,
            List<CompositeIndex> composites) {}

    @Property(tries = 2000)
    void findsTheTermsThatTheTreeHolds(
            @ForAll("items") Value.Obj item, @ForAll("samples") Sample sample) {
        IndexPlan plan = IndexPlan.compile(sample.policy);
        TreeSet<Bytes> expected = new TreeSet<>();
        int[] leaves = new int[1];
        Map<String, Value> properties = new LinkedHashMap<>(item.properties());
        properties.put("_ts", Value.of(TS));
        walk(new Value.Obj(properties), IndexPath.ROOT, sample, expected, leaves);
        for (Map.Entry<PolicyPath, Boolean> rule : sample.rules.entrySet()) {
            IndexPath path = rule.getKey().path();
            boolean isExplicit =
                    rule.getValue()
                            && !rule.getKey().isSubtree()
                            && !path.steps().contains(IndexPath.Step.Element.ELEMENT);
            assertThat(plan.indexesUndefined(path) || rule.getKey().isSubtree())
                    .isEqualTo(isExplicit || rule.getKey().isSubtree());
            if (isExplicit && find(properties, path).isEmpty()) {
                expected.add(term(path, Value.Undefined.UNDEFINED));
            }
        }
        for (CompositeIndex composite : sample.composites) {
            expected.add(composite(composite, properties));
        }

        IndexTerms terms = plan.extract(JsonText.writeBytes(item), TS);
        assertThat(terms.toList()).containsExactlyElementsOf(expected);
        assertThat(terms.leafCount()).isEqualTo(leaves[0]);
    }

    @Property
    void aChangeLeadsFromOneToTheOther(
            @ForAll("items") Value.Obj before,
            @ForAll("items") Value.Obj after,
            @ForAll("samples") Sample sample) {
        IndexPlan plan = IndexPlan.compile(sample.policy);
        IndexTerms older = plan.extract(JsonText.writeBytes(before), TS);
        IndexTerms newer = plan.extract(JsonText.writeBytes(after), TS + 1);
        IndexTerms.Change change = older.changeTo(newer);
        TreeSet<Bytes> changed = new TreeSet<>(older.toList());
        assertThat(changed.removeAll(change.removed().toList()) || change.removed().size() == 0)
                .isTrue();
        assertThat(changed).doesNotContainAnyElementsOf(change.added().toList());
        changed.addAll(change.added().toList());
        assertThat(changed).containsExactlyElementsOf(newer.toList());
        assertThat(change.removed().size() + newer.size())
                .isEqualTo(change.added().size() + older.size());
    }

    private static void walk(
            Value value, IndexPath path, Sample sample, Set<Bytes> terms, int[] leaves) {
        if (!path.steps().isEmpty() && isIndexed(path, sample)) {
            terms.add(term(path, value));
            boolean isScalar = !(value instanceof Value.Array) && !(value instanceof Value.Obj);
            leaves[0] += isScalar && !path.equals(IndexPath.of("_ts")) ? 1 : 0;
        }
        switch (value) {
            case Value.Array(List<Value> elements) ->
                    elements.forEach(e -> walk(e, path.element(), sample, terms, leaves));
            case Value.Obj(Map<String, Value> properties) ->
                    properties.forEach(
                            (name, v) -> walk(v, path.property(name), sample, terms, leaves));
            default -> {}
        }
    }

    private static boolean isIndexed(IndexPath path, Sample sample) {
        if (path.equals(IndexPath.of("id")) || path.equals(IndexPath.of("_ts"))) {
            return true;
        }
        int bestScore = -1;
        boolean best = false;
        for (Map.Entry<PolicyPath, Boolean> rule : sample.rules.entrySet()) {
            List<IndexPath.Step> steps = rule.getKey().path().steps();
            boolean matches =
                    rule.getKey().isSubtree()
                            ? steps.size() <= path.steps().size()
                                    && path.steps().subList(0, steps.size()).equals(steps)
                            : path.steps().equals(steps);
            int score = steps.size() * 2 + (rule.getKey().isSubtree() ? 0 : 1);
            if (matches && score > bestScore) {
                bestScore = score;
                best = rule.getValue();
            }
        }
        assertThat(IndexPlan.compile(sample.policy).isIndexed(path)).isEqualTo(best);
        return best;
    }

    private static Optional<Value> find(Map<String, Value> properties, IndexPath path) {
        Value at = new Value.Obj(properties);
        for (IndexPath.Step step : path.steps()) {
            if (!(at instanceof Value.Obj(Map<String, Value> inner))
                    || !(step instanceof IndexPath.Step.Property(String name))
                    || !inner.containsKey(name)) {
                return Optional.empty();
            }
            at = inner.getOrDefault(name, Value.Undefined.UNDEFINED);
        }
        return Optional.of(at);
    }

    private static Bytes term(IndexPath path, Value value) {
        return Bytes.ofHex(
                IndexPathCodec.encode(path).toHex()
                        + IndexValue.encode(value, TermRules.FIRST).toHex());
    }

    private static Bytes composite(CompositeIndex composite, Map<String, Value> properties) {
        ByteSink out = new ByteSink();
        out.put(composite.termPrefix());
        for (CompositeIndex.Member member : composite.members()) {
            Value value =
                    find(properties, member.path())
                            .filter(v -> !(v instanceof Value.Array) && !(v instanceof Value.Obj))
                            .orElse(Value.Undefined.UNDEFINED);
            for (byte b : IndexValue.encode(value, TermRules.FIRST).unsafeArray()) {
                out.put(member.descending() ? ~b : b);
            }
        }
        return out.toBytes();
    }

    @Provide
    Arbitrary<Value.Obj> items() {
        return Samples.items();
    }

    @Provide
    Arbitrary<Sample> samples() {
        return Arbitraries.randomValue(IndexPlanProperties::sample);
    }

    private static Sample sample(Random random) {
        Map<PolicyPath, Boolean> rules = new LinkedHashMap<>();
        rules.put(new PolicyPath(IndexPath.ROOT, true), random.nextBoolean());
        for (int i = random.nextInt(6); i > 0; i--) {
            rules.putIfAbsent(
                    new PolicyPath(path(random, true), random.nextBoolean()), random.nextBoolean());
        }
        List<CompositeIndex> composites = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            IndexPath first = path(random, false);
            IndexPath second = random.nextBoolean() ? IndexPath.of("_ts") : path(random, false);
            if (!first.equals(second)) {
                composites.add(
                        new CompositeIndex(
                                List.of(
                                        new CompositeIndex.Member(first, random.nextBoolean()),
                                        new CompositeIndex.Member(second, random.nextBoolean()))));
            }
        }
        List<String> included = new ArrayList<>();
        List<String> excluded = new ArrayList<>();
        rules.forEach(
                (path, isIncluded) ->
                        (isIncluded ? included : excluded)
                                .add(print(path.path()) + (path.isSubtree() ? "/*" : "/?")));
        IndexingPolicy policy =
                new IndexingPolicy(
                        IndexingPolicy.Mode.CONSISTENT,
                        true,
                        included,
                        excluded,
                        composites.stream()
                                .map(
                                        composite ->
                                                composite.members().stream()
                                                        .map(
                                                                m ->
                                                                        new IndexingPolicy
                                                                                .CompositePath(
                                                                                print(m.path()),
                                                                                m.descending()))
                                                        .toList())
                                .toList(),
                        List.of());
        return new Sample(policy, rules, composites);
    }

    private static IndexPath path(Random random, boolean withElements) {
        List<String> names = Samples.NAMES.stream().filter(name -> !name.isEmpty()).toList();
        IndexPath path = IndexPath.of(Samples.pick(random, names));
        for (int i = random.nextInt(3); i > 0; i--) {
            path =
                    withElements && random.nextInt(3) == 0
                            ? path.element()
                            : path.property(Samples.pick(random, names));
        }
        return path;
    }

    private static String print(IndexPath path) {
        StringBuilder text = new StringBuilder();
        for (IndexPath.Step step : path.steps()) {
            text.append(
                    step instanceof IndexPath.Step.Property(String name)
                            ? "/\"" + name + "\""
                            : "/[]");
        }
        return text.toString();
    }
}
