package orrery.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import orrery.document.spatial.Figure;
import orrery.document.spatial.SpatialIndex;
import orrery.model.Bytes;
import orrery.model.DerivedRow;
import orrery.model.Encoding;
import orrery.model.codec.MalformedRecordException;

/** One pass over one item, collecting its index terms. */
final class TermExtractor {
    private static final byte[] UNDEFINED = {ValueTag.UNDEFINED};

    private final IndexPlan plan;
    private final PathWriter path = new PathWriter();
    private final ByteSink value = new ByteSink(64);
    private final ByteSink term = new ByteSink(128);
    private final boolean[] isPresent;

    /** Encoded values of composite members, by slot. */
    private final byte[][] compositeValues;

    private byte[] json = new byte[0];
    private byte[][] terms = new byte[32][];
    private int count;
    private int leafCount;

    TermExtractor(IndexPlan plan) {
        this.plan = plan;
        isPresent = new boolean[plan.undefinedTerms().size()];
        compositeValues = new byte[plan.compositeSlots()][];
        Arrays.fill(compositeValues, UNDEFINED);
    }

    IndexTerms extract(Encoding encoding, Bytes body, long tsSeconds, List<DerivedRow> derived) {
        PolicyNode root = plan.root();
        switch (encoding) {
            case JSON -> json(root, body);
            case BSON -> bson(root, body);
        }
        timestamp(root, tsSeconds);
        if (plan.needsDerived()) {
            derived.forEach(row -> computed(root, row));
        }
        missing();
        composites();
        compact();
        return new IndexTerms(Arrays.copyOf(terms, count), leafCount);
    }

    private void json(PolicyNode root, Bytes body) {
        json = body.unsafeArray();
        try (JsonParser parser = JsonInput.openTrusted(json)) {
            parser.nextToken();
            object(parser, root, root.isSubtreeIndexed(false), root.subtreeSpatial(null), null);
        } catch (IOException e) {
            throw new IllegalStateException("a stored body is not JSON", e);
        }
    }

    /** A property that bears a name of the service's own is not the service's property. */
    private void bson(PolicyNode root, Bytes body) {
        Map<String, Value> properties =
                BsonCodec.readSome(
                        body,
                        name -> {
                            PolicyNode node = root.property(name);
                            return !SystemProperties.isSystemProperty(name)
                                    && (node == null || !node.isComputed());
                        },
                        Integer.MAX_VALUE);
        properties(properties, root, root.isSubtreeIndexed(false), root.subtreeSpatial(null));
    }

    /**
     * Reads the properties up to the closing brace; false if there are none. Recursion is safe:
     * bodies are checked for their depth before they are stored.
     */
    private boolean object(
            JsonParser parser,
            @Nullable PolicyNode node,
            boolean isIncluded,
            @Nullable SpatialIndex spatial,
            @Nullable GeometryPlace geometry)
            throws IOException {
        boolean hasProperties = false;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            hasProperties = true;
            PolicyNode child = node == null ? null : node.property(name);
            JsonToken token = parser.nextToken();
            if (geometry != null) {
                geometry.begin(parser, name, token);
            }
            if (child == null ? !isIncluded && spatial == null : child.isComputed()) {
                parser.skipChildren();
            } else {
                path.pushProperty(name);
                value(parser, token, child, isIncluded, spatial);
                path.pop();
            }
            if (geometry != null) {
                geometry.end(parser, name, token);
            }
        }
        return hasProperties;
    }

    private boolean array(
            JsonParser parser,
            @Nullable PolicyNode node,
            boolean isIncluded,
            @Nullable SpatialIndex spatial)
            throws IOException {
        boolean hasElements = false;
        PolicyNode child = node == null ? null : node.element();
        boolean isOfInterest = child != null || isIncluded || spatial != null;
        path.pushElement();
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            hasElements = true;
            if (isOfInterest) {
                value(parser, token, child, isIncluded, spatial);
            } else {
                parser.skipChildren();
            }
        }
        path.pop();
        return hasElements;
    }

    private void value(
            JsonParser parser,
            JsonToken token,
            @Nullable PolicyNode node,
            boolean inherited,
            @Nullable SpatialIndex inheritedSpatial)
            throws IOException {
        boolean isBelowIncluded = node == null ? inherited : node.isSubtreeIndexed(inherited);
        SpatialIndex below =
                node == null ? inheritedSpatial : node.subtreeSpatial(inheritedSpatial);
        switch (token) {
            case START_OBJECT -> {
                SpatialIndex here =
                        node == null ? inheritedSpatial : node.spatial(inheritedSpatial);
                GeometryPlace geometry = here == null ? null : new GeometryPlace();
                boolean hasProperties = object(parser, node, isBelowIncluded, below, geometry);
                value.clear();
                IndexValue.putObject(hasProperties, value);
                found(node, inherited, false);
                if (here != null && geometry != null) {
                    geometry.read(json).ifPresent(figure -> found(here, figure));
                }
            }
            case START_ARRAY -> {
                boolean hasElements = array(parser, node, isBelowIncluded, below);
                value.clear();
                IndexValue.putArray(hasElements, value);
                found(node, inherited, false);
            }
            default -> {
                value.clear();
                scalar(parser, token);
                if (found(node, inherited, true)) {
                    leafCount++;
                }
            }
        }
    }

    private void scalar(JsonParser parser, JsonToken token) throws IOException {
        switch (token) {
            case VALUE_NULL -> value.put(ValueTag.NULL);
            case VALUE_FALSE -> value.put(ValueTag.FALSE);
            case VALUE_TRUE -> value.put(ValueTag.TRUE);
            case VALUE_STRING ->
                    IndexValue.putText(
                            parser.getTextCharacters(),
                            parser.getTextOffset(),
                            parser.getTextLength(),
                            plan.rules().textBytes(),
                            value);
            case VALUE_NUMBER_INT -> {
                if (JsonInput.isLong(parser)) {
                    IndexValue.putLong(parser.getLongValue(), value);
                } else {
                    IndexValue.putDouble(JsonInput.finiteDouble(parser), value);
                }
            }
            case VALUE_NUMBER_FLOAT -> IndexValue.putDouble(JsonInput.finiteDouble(parser), value);
            default -> throw new IllegalStateException("the parser gave " + token);
        }
    }

    /** The current value stands at the current path; true if it is indexed there. */
    private boolean found(@Nullable PolicyNode node, boolean inherited, boolean isScalar) {
        boolean isIndexed = inherited;
        if (node != null) {
            isIndexed = node.isIndexed(inherited);
            if (node.requiredSlot() != PolicyNode.NONE) {
                isPresent[node.requiredSlot()] = true;
            }
            if (isScalar && node.compositeSlot() != PolicyNode.NONE) {
                compositeValues[node.compositeSlot()] = value.toArray();
            }
        }
        if (isIndexed) {
            term.clear();
            path.appendTo(term);
            term.put(value.unsafeArray(), 0, value.length());
            add(term.toArray());
        }
        return isIndexed;
    }

    /** A geometry stands at the current path. */
    private void found(SpatialIndex index, Figure figure) {
        for (long cell : index.cells(figure)) {
            term.clear();
            term.put(IndexPathCodec.SPATIAL);
            path.appendTo(term);
            term.putLong(cell);
            add(term.toArray());
            leafCount++;
        }
    }

    private void timestamp(PolicyNode root, long tsSeconds) {
        path.pushProperty("_ts");
        value.clear();
        IndexValue.putLong(tsSeconds, value);
        found(root.property("_ts"), false, true);
        path.pop();
    }

    private void computed(PolicyNode root, DerivedRow row) {
        if (row.kind() == DerivedRow.MATCHED) {
            return; // it is about unique keys
        }
        if (row.kind() != DerivedRow.COMPUTED) {
            throw new IllegalStateException("an item has a derived row of an unknown kind");
        }
        path.pushProperty(row.name());
        value(read(row), root.property(row.name()), false, null);
        path.pop();
    }

    private static Value read(DerivedRow row) {
        try {
            return ValueCodec.decode(row.value());
        } catch (MalformedRecordException unreadable) {
            throw new IllegalStateException("a derived row cannot be read", unreadable);
        }
    }

    private void properties(
            Map<String, Value> properties,
            @Nullable PolicyNode node,
            boolean isIncluded,
            @Nullable SpatialIndex spatial) {
        properties.forEach(
                (name, child) -> {
                    path.pushProperty(name);
                    value(child, node == null ? null : node.property(name), isIncluded, spatial);
                    path.pop();
                });
    }

    /** Does what the method of the same name does for a parser. */
    private void value(
            Value made,
            @Nullable PolicyNode node,
            boolean inherited,
            @Nullable SpatialIndex inheritedSpatial) {
        boolean isBelowIncluded = node == null ? inherited : node.isSubtreeIndexed(inherited);
        SpatialIndex below =
                node == null ? inheritedSpatial : node.subtreeSpatial(inheritedSpatial);
        boolean isScalar =
                switch (made) {
                    case Value.Obj(Map<String, Value> properties) -> {
                        properties(properties, node, isBelowIncluded, below);
                        yield false;
                    }
                    case Value.Array(List<Value> elements) -> {
                        path.pushElement();
                        for (Value element : elements) {
                            value(
                                    element,
                                    node == null ? null : node.element(),
                                    isBelowIncluded,
                                    below);
                        }
                        path.pop();
                        yield false;
                    }
                    case Value.Undefined _,
                            Value.Null _,
                            Value.Bool _,
                            Value.Int _,
                            Value.Real _,
                            Value.Text _,
                            BsonValue _ ->
                            true;
                };
        value.clear();
        IndexValue.put(made, plan.rules().textBytes(), value);
        if (found(node, inherited, isScalar) && isScalar) {
            leafCount++;
        }
        SpatialIndex here = node == null ? inheritedSpatial : node.spatial(inheritedSpatial);
        if (here != null && made instanceof Value.Obj object) {
            GeoJson.parse(JsonForm.of(object))
                    .filter(figure -> figure.fault().isEmpty())
                    .ifPresent(figure -> found(here, figure));
        }
    }

    /** Explicitly included paths that the item lacks. */
    private void missing() {
        for (int i = 0; i < isPresent.length; i++) {
            if (!isPresent[i]) {
                add(plan.undefinedTerms().get(i).unsafeArray());
            }
        }
    }

    private void composites() {
        for (IndexPlan.Composite composite : plan.compositesWithSlots()) {
            term.clear();
            term.put(composite.prefix());
            List<CompositeIndex.Member> members = composite.index().members();
            for (int i = 0; i < members.size(); i++) {
                composite
                        .index()
                        .putValue(term, members.get(i), compositeValues[composite.slots().get(i)]);
            }
            add(term.toArray());
        }
    }

    /**
     * Equal terms are dropped when room runs out: a million equal elements take no more than one.
     */
    private void add(byte[] next) {
        if (count == terms.length) {
            compact();
            if (count > terms.length / 2) {
                terms = Arrays.copyOf(terms, terms.length * 2);
            }
        }
        terms[count++] = next;
    }

    private void compact() {
        Arrays.sort(terms, 0, count, Arrays::compareUnsigned);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (kept == 0 || !Arrays.equals(terms[kept - 1], terms[i])) {
                terms[kept++] = terms[i];
            }
        }
        count = kept;
    }
}
