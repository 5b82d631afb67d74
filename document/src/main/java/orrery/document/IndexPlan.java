package orrery.document;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import orrery.document.edm.EdmValue;
import orrery.document.edm.StoredNames;
import orrery.document.spatial.Figure;
import orrery.document.spatial.SpatialIndex;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ContainerKind;
import orrery.model.DerivedRow;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.NamedIndex;
import orrery.model.NamedIndexes;
import orrery.model.OrreryException;
import orrery.model.TermRules;

/**
 * An indexing policy made ready to be matched against items. Every value at an indexed path has
 * exactly one term there, objects and arrays too; elements of an array share a path. Immutable and
 * shared by threads.
 *
 * <p>Nothing is accepted and then not honoured: what this release cannot index is refused here.
 */
public final class IndexPlan {
    public static final int MAX_PATHS = 1500;
    public static final int MAX_COMPOSITES = 100;
    public static final int MAX_COMPOSITE_PATHS = 8;

    private static final IndexPath ID = IndexPath.of("id");
    private static final IndexPath TS = IndexPath.of("_ts");
    private static final Set<String> KEYS_OF_ENTITIES =
            Set.of(StoredNames.STORED_PARTITION_KEY, StoredNames.STORED_ROW_KEY);
    private static final IndexPlan NOTHING =
            new IndexPlan(
                    false,
                    new PolicyNode(),
                    List.of(),
                    List.of(),
                    0,
                    Map.of(),
                    TermRules.FIRST,
                    List.of());

    private static final IndexPlan TIME_ONLY = timeOnly();

    private final boolean isActive;
    private final PolicyNode root;

    /** Terms that items get in place of an explicitly included path that they lack, by slot. */
    private final List<Bytes> undefinedTerms;

    private final List<Composite> composites;
    private final int compositeSlots;

    /** All of the container, by name, whether they are indexed or not. */
    private final Map<String, ComputedProperty> computed;

    private final List<String> derivedNames;
    private final boolean needsDerived;
    private final TermRules rules;
    private final List<UniqueIndex> uniques;

    /** A composite index with the slots its members are collected in. */
    record Composite(CompositeIndex index, Bytes prefix, List<Integer> slots) {
        Composite {
            slots = List.copyOf(slots);
        }
    }

    private IndexPlan(
            boolean isActive,
            PolicyNode root,
            List<Bytes> undefinedTerms,
            List<Composite> composites,
            int compositeSlots,
            Map<String, ComputedProperty> computed,
            TermRules rules,
            List<UniqueIndex> uniques) {
        this.isActive = isActive;
        this.root = root;
        this.undefinedTerms = List.copyOf(undefinedTerms);
        this.composites = List.copyOf(composites);
        this.compositeSlots = compositeSlots;
        this.computed = Map.copyOf(computed);
        this.rules = rules;
        this.uniques = List.copyOf(uniques);
        this.derivedNames =
                computed.keySet().stream()
                        .filter(
                                name -> {
                                    PolicyNode node = root.property(name);
                                    return node != null && node.isOfInterest();
                                })
                        .sorted()
                        .toList();
        boolean isPartial = uniques.stream().anyMatch(index -> index.filter().isPresent());
        this.needsDerived = !derivedNames.isEmpty() || isPartial;
    }

    private static IndexPlan timeOnly() {
        PolicyNode root = new PolicyNode();
        root.at(TS).rule(false, PolicyNode.Rule.INCLUDED);
        return new IndexPlan(
                true, root, List.of(), List.of(), 0, Map.of(), TermRules.FIRST, List.of());
    }

    /** Compiles the policy of a container of documents that has no computed properties. */
    public static IndexPlan compile(IndexingPolicy policy) {
        return compile(policy, List.of(), ContainerKind.DOCUMENT);
    }

    /** Compiles a policy with the rules of the first level, for callers that store no terms. */
    public static IndexPlan compile(
            IndexingPolicy policy, List<ComputedProperty> computed, ContainerKind kind) {
        return compile(policy, computed, kind, TermRules.FIRST);
    }

    /**
     * Throws BAD_REQUEST with the reason if the policy is not valid or cannot be honoured.
     *
     * @param computed properties of the container; what items hold under their names has no terms
     * @param kind says which order of types composite indexes have, and what a policy means by
     *     "everything": in a table that is the content of each property, and not its type
     */
    public static IndexPlan compile(
            IndexingPolicy policy,
            List<ComputedProperty> computed,
            ContainerKind kind,
            TermRules rules) {
        if (policy.mode() == IndexingPolicy.Mode.NONE) {
            requireNoPaths(policy);
            return NOTHING;
        }
        if (!policy.automatic()) {
            throw invalid(
                    "'automatic' must be true unless the mode is none; exclude paths that should"
                            + " not be indexed");
        }
        TypeOrder order = TypeOrder.of(kind);
        Compiler compiler = new Compiler(rules);
        compiler.computed(computed);
        compiler.paths(policy, order == TypeOrder.MONGODB ? NamedIndexes.MAX_PATHS : MAX_PATHS);
        compiler.composites(policy.compositeIndexes(), order);
        compiler.spatial(policy.spatialIndexes());
        if (kind == ContainerKind.TABLE) {
            compiler.typed();
        }
        return compiler.plan();
    }

    /** Returns this plan with the unique ones among these indexes. */
    public IndexPlan withUniques(List<NamedIndex> indexes) {
        return new IndexPlan(
                isActive,
                root,
                undefinedTerms,
                composites,
                compositeSlots,
                computed,
                rules,
                UniqueIndex.among(indexes));
    }

    /** The unique indexes with names. */
    public List<UniqueIndex> uniques() {
        return uniques;
    }

    /** The rules that its terms are made by. */
    public TermRules rules() {
        return rules;
    }

    /**
     * Returns true if a path of a policy, which has to be valid, leads to or into this property.
     */
    public static boolean startsWith(String policyPath, String name) {
        return PolicyPath.parse(policyPath).path().startsWith(name);
    }

    /** Like {@link #extract(Bytes, long, List)}, for items from which nothing was derived. */
    public IndexTerms extract(Bytes storedBody, long tsSeconds) {
        return extract(storedBody, tsSeconds, List.of());
    }

    /**
     * The terms of an item; none in mode {@code none}.
     *
     * @param storedBody as {@link ItemBody#stored} gave it
     * @param tsSeconds the item's {@code _ts}, which is indexed although the body lacks it
     * @param derived what was derived from the item for the {@link #derivedNames()}
     */
    public IndexTerms extract(Bytes storedBody, long tsSeconds, List<DerivedRow> derived) {
        return extract(Encoding.JSON, storedBody, tsSeconds, derived);
    }

    /** The same for a body in the given encoding; equal values have equal terms in all of them. */
    public IndexTerms extract(
            Encoding encoding, Bytes storedBody, long tsSeconds, List<DerivedRow> derived) {
        return isActive
                ? new TermExtractor(this).extract(encoding, storedBody, tsSeconds, derived)
                : IndexTerms.EMPTY;
    }

    /**
     * Returns what SQL may look up in this index where items are kept in the given encoding. Terms
     * of BSON hold kinds that SQL sees in their JSON form: a decimal is among the numbers in the
     * index and an object in SQL. So all paths but {@code _ts} count as unindexed there.
     */
    public IndexPlan forSql(Encoding encoding) {
        return switch (encoding) {
            case JSON -> this;
            case BSON -> isActive ? TIME_ONLY : this;
        };
    }

    /** Returns true if anything is indexed at all. */
    public boolean isActive() {
        return isActive;
    }

    /**
     * Returns true if every value at this path has a term in the index, so that a query may look
     * there instead of reading items.
     */
    public boolean isIndexed(IndexPath path) {
        if (!isActive || path.steps().isEmpty() || isKeptOutside(path)) {
            return false;
        }
        boolean inherited = false;
        PolicyNode node = root;
        for (IndexPath.Step step : path.steps()) {
            if (node != null) {
                inherited = node.isSubtreeIndexed(inherited);
                node = below(node, step);
            }
        }
        return node == null ? inherited : node.isIndexed(inherited);
    }

    /** Returns true if items without a value at this path have the term "undefined" there. */
    public boolean indexesUndefined(IndexPath path) {
        PolicyNode node = root;
        for (IndexPath.Step step : path.steps()) {
            node = node == null ? null : below(node, step);
        }
        return isActive && node != null && node.requiredSlot() != PolicyNode.NONE;
    }

    /** By what index the geometries at this path are found, if by any. */
    public Optional<SpatialIndex> spatial(IndexPath path) {
        if (!isActive || path.steps().isEmpty() || isKeptOutside(path)) {
            return Optional.empty();
        }
        SpatialIndex inherited = null;
        PolicyNode node = root;
        for (IndexPath.Step step : path.steps()) {
            if (node != null) {
                inherited = node.subtreeSpatial(inherited);
                node = below(node, step);
            }
        }
        return Optional.ofNullable(node == null ? inherited : node.spatial(inherited));
    }

    public List<CompositeIndex> composites() {
        return composites.stream().map(Composite::index).toList();
    }

    /** Returns the definition by which this plan computed the property of this name. */
    public Optional<ComputedProperty> computed(String name) {
        return Optional.ofNullable(computed.get(name));
    }

    /**
     * Returns the names of the computed properties that may have index terms. Their values cannot
     * be found in an item: somebody who can evaluate them has to derive them.
     */
    public List<String> derivedNames() {
        return derivedNames;
    }

    /** Returns true if the entries of an item depend on what was derived from it. */
    public boolean needsDerived() {
        return needsDerived;
    }

    PolicyNode root() {
        return root;
    }

    List<Bytes> undefinedTerms() {
        return undefinedTerms;
    }

    List<Composite> compositesWithSlots() {
        return composites;
    }

    int compositeSlots() {
        return compositeSlots;
    }

    private static @Nullable PolicyNode below(PolicyNode node, IndexPath.Step step) {
        return switch (step) {
            case IndexPath.Step.Property(String name) -> node.property(name);
            case IndexPath.Step.Element _ -> node.element();
        };
    }

    /** System properties other than {@code _ts} are not in the body, so they have no terms. */
    private static boolean isKeptOutside(IndexPath path) {
        return path.steps().getFirst() instanceof IndexPath.Step.Property(String name)
                && SystemProperties.isSystemProperty(name)
                && !name.equals("_ts");
    }

    /** SDKs send their default paths along with mode none; anything else was meant to work. */
    private static void requireNoPaths(IndexingPolicy policy) {
        boolean hasPaths =
                !policy.compositeIndexes().isEmpty()
                        || !policy.spatialIndexes().isEmpty()
                        || !policy.includedPaths().stream().allMatch(PolicyPath::isEverything)
                        || !policy.excludedPaths().stream().allMatch(IndexPlan::isDefaultExclusion);
        if (hasPaths) {
            throw invalid("mode none indexes nothing, so it must not name paths");
        }
    }

    private static boolean isDefaultExclusion(String path) {
        return PolicyPath.isEverything(path) || isEtag(path);
    }

    /** The path that the service excludes by itself and shows among those of the client. */
    private static boolean isEtag(String path) {
        return IndexingPolicy.DEFAULT.excludedPaths().contains(path) || path.equals("/_etag/?");
    }

    private static OrreryException invalid(String why) {
        return new OrreryException(
                ErrorCode.BAD_REQUEST, "The indexing policy is invalid: " + why + ".");
    }

    /** Gathers what a plan is made of. */
    private static final class Compiler {
        private final PolicyNode root = new PolicyNode();
        private final List<Bytes> undefinedTerms = new ArrayList<>();
        private final List<Composite> composites = new ArrayList<>();
        private final Map<String, ComputedProperty> computed = new LinkedHashMap<>();
        private final TermRules rules;
        private int compositeSlots;

        Compiler(TermRules rules) {
            this.rules = rules;
        }

        void computed(List<ComputedProperty> properties) {
            for (ComputedProperty property : properties) {
                root.at(IndexPath.of(property.name())).setComputed();
                computed.put(property.name(), property);
            }
        }

        void paths(IndexingPolicy policy, int atMost) {
            paths("includedPaths", policy.includedPaths(), PolicyNode.Rule.INCLUDED, atMost);
            paths("excludedPaths", policy.excludedPaths(), PolicyNode.Rule.EXCLUDED, atMost);
            if (root.rule(true) == PolicyNode.Rule.SILENT) {
                throw invalid(
                        "the special mandatory indexing path '/*' is in neither includedPaths nor"
                                + " excludedPaths");
            }
            // A policy cannot leave these out: reads by id and by time must not become scans.
            root.at(ID).rule(false, PolicyNode.Rule.INCLUDED);
            root.at(TS).rule(false, PolicyNode.Rule.INCLUDED);
        }

        private void paths(String list, List<String> texts, PolicyNode.Rule rule, int atMost) {
            // A client may send back the policy that it has read, with our own path in it; that
            // path does not count.
            long named = texts.stream().filter(text -> !isEtag(text)).count();
            if (named > atMost) {
                throw invalid(
                        "%s has %d paths, at most %d are allowed".formatted(list, named, atMost));
            }
            for (String text : texts) {
                PolicyPath path = PolicyPath.parse(text);
                PolicyNode node = root.at(path.path());
                PolicyNode.Rule known = node.rule(path.isSubtree());
                if (known != PolicyNode.Rule.SILENT && known != rule) {
                    throw invalid("the path '" + text + "' is both included and excluded");
                }
                node.rule(path.isSubtree(), rule);
                if (rule == PolicyNode.Rule.INCLUDED) {
                    include(path, node, text);
                }
            }
        }

        private void include(PolicyPath path, PolicyNode node, String text) {
            if (path.path().steps().isEmpty()) {
                return;
            }
            requireInBody(path.path(), text);
            boolean isOneValue =
                    !path.isSubtree()
                            && path.path().steps().stream()
                                    .allMatch(step -> step instanceof IndexPath.Step.Property);
            if (isOneValue && node.requiredSlot() == PolicyNode.NONE) {
                node.requiredSlot(undefinedTerms.size());
                ByteSink term = new ByteSink();
                term.put(IndexPathCodec.encode(path.path())).put(ValueTag.UNDEFINED);
                undefinedTerms.add(term.toBytes());
            }
        }

        void composites(List<List<IndexingPolicy.CompositePath>> definitions, TypeOrder order) {
            if (definitions.size() > MAX_COMPOSITES) {
                throw invalid(
                        "it has %d composite indexes, at most %d are allowed"
                                .formatted(definitions.size(), MAX_COMPOSITES));
            }
            Set<CompositeIndex> known = new HashSet<>();
            for (List<IndexingPolicy.CompositePath> definition : definitions) {
                CompositeIndex index = new CompositeIndex(composite(definition), order);
                if (known.add(index)) {
                    List<Integer> slots =
                            index.members().stream().map(member -> slot(member.path())).toList();
                    composites.add(new Composite(index, index.termPrefix(), slots));
                }
            }
        }

        private List<CompositeIndex.Member> composite(
                List<IndexingPolicy.CompositePath> definition) {
            if (definition.size() < 2 || definition.size() > MAX_COMPOSITE_PATHS) {
                throw invalid(
                        "a composite index has %d paths; it needs 2 to %d"
                                .formatted(definition.size(), MAX_COMPOSITE_PATHS));
            }
            List<CompositeIndex.Member> members = new ArrayList<>();
            Set<IndexPath> paths = new HashSet<>();
            for (IndexingPolicy.CompositePath part : definition) {
                IndexPath path = PolicyPath.parseComposite(part.path());
                requireInBody(path, part.path());
                if (!paths.add(path)) {
                    throw invalid("a composite index names the path '" + part.path() + "' twice");
                }
                members.add(new CompositeIndex.Member(path, part.descending()));
            }
            return members;
        }

        void spatial(List<IndexingPolicy.SpatialPath> definitions) {
            if (definitions.size() > MAX_PATHS) {
                throw invalid(
                        "spatialIndexes has %d paths, at most %d are allowed"
                                .formatted(definitions.size(), MAX_PATHS));
            }
            for (IndexingPolicy.SpatialPath definition : definitions) {
                PolicyPath path = PolicyPath.parse(definition.path());
                if (!path.path().steps().isEmpty()) {
                    requireInBody(path.path(), definition.path());
                }
                if (!root.at(path.path()).spatial(path.isSubtree(), index(definition))) {
                    throw invalid("two spatial indexes have the path '" + definition.path() + "'");
                }
            }
        }

        /**
         * Has {@code /*} mean the keys and the contents of properties. The object around a content
         * and its type would have a term each, and nobody looks for them.
         */
        void typed() {
            if (root.rule(true) != PolicyNode.Rule.INCLUDED) {
                return;
            }
            root.rule(true, PolicyNode.Rule.EXCLUDED);
            for (String key : KEYS_OF_ENTITIES) {
                root.at(IndexPath.of(key)).includeIfSilent();
            }
            root.forEachProperty(
                    (name, node) -> {
                        if (!KEYS_OF_ENTITIES.contains(name) && node.isLikeOthers()) {
                            content(node);
                        }
                    });
            PolicyNode others = new PolicyNode();
            content(others);
            root.others(others);
        }

        private static void content(PolicyNode property) {
            property.at(IndexPath.of(EdmValue.CONTENT)).includeIfSilent();
        }

        private SpatialIndex index(IndexingPolicy.SpatialPath definition) {
            Set<Figure.Kind> kinds = new HashSet<>();
            for (String type : definition.types()) {
                Optional<Figure.Kind> kind = Figure.Kind.find(type);
                if (kind.isEmpty() || !kinds.add(kind.get())) {
                    throw invalid(
                            "the types of the spatial index '%s' must be one or more of Point,"
                                            .formatted(definition.path())
                                    + " LineString, Polygon and MultiPolygon, each once");
                }
            }
            if (kinds.isEmpty()) {
                throw invalid("the spatial index '" + definition.path() + "' has no types");
            }
            if (definition.box().isPresent() && !hasInside(definition.box().get())) {
                throw invalid(
                        "the boundingBox of the spatial index '%s' needs xmin < xmax and ymin <"
                                        .formatted(definition.path())
                                + " ymax");
            }
            return new SpatialIndex(kinds, definition.box(), rules.cells());
        }

        private static boolean hasInside(IndexingPolicy.BoundingBox box) {
            double width = box.xmax() - box.xmin();
            double height = box.ymax() - box.ymin();
            return width > 0 && height > 0 && Double.isFinite(width) && Double.isFinite(height);
        }

        private int slot(IndexPath path) {
            PolicyNode node = root.at(path);
            if (node.compositeSlot() == PolicyNode.NONE) {
                node.compositeSlot(compositeSlots++);
            }
            return node.compositeSlot();
        }

        private static void requireInBody(IndexPath path, String text) {
            if (isKeptOutside(path)) {
                throw invalid("the system property in '" + text + "' cannot be indexed");
            }
        }

        IndexPlan plan() {
            return new IndexPlan(
                    true,
                    root,
                    undefinedTerms,
                    composites,
                    compositeSlots,
                    computed,
                    rules,
                    List.of());
        }
    }
}
