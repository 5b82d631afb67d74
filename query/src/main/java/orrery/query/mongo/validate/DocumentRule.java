package orrery.query.mongo.validate;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.Violation;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;

/** The filter of a validator, made ready. Immutable and safe to share. */
public final class DocumentRule {
    /** Rules that are kept ready; when there are more, all are made anew. */
    private static final int MAX_KEPT = 256;

    private static final Map<Bytes, DocumentRule> KEPT = new ConcurrentHashMap<>();

    /** A rule reads no clock: a document that meets it now meets it tomorrow. */
    static final MatchContext CONTEXT =
            new MatchContext(
                    MongoOrder.SIMPLE,
                    new Value.Obj(Map.of()),
                    Instant.EPOCH,
                    Expression.FOR_FILTERS);

    private static final List<String> VARIABLES = List.of("$$NOW", "$$CLUSTER_TIME");
    private static final List<String> DRAWS = List.of("$rand", "$sampleRate");

    /** The documents around a reason in an answer. */
    private static final int LEVELS_AROUND = 4;

    private final Value.Obj filter;
    private final Matcher matcher;

    private DocumentRule(Value.Obj filter) {
        this.filter = filter;
        this.matcher = Matcher.compile(filter, CONTEXT);
    }

    /**
     * Reads the filter of a validator.
     *
     * @throws OrreryException with MongoDB's code for what is no filter, or depends on more than
     *     the document
     */
    public static DocumentRule of(Bytes filter) {
        DocumentRule kept = KEPT.get(filter);
        if (kept != null) {
            return kept;
        }
        Value.Obj read = BsonCodec.read(filter);
        requireConstant(read);
        DocumentRule rule = new DocumentRule(read);
        if (KEPT.size() >= MAX_KEPT) {
            KEPT.clear();
        }
        KEPT.put(filter, rule);
        return rule;
    }

    private static void requireConstant(Value part) {
        switch (part) {
            case Value.Obj(Map<String, Value> fields) ->
                    fields.forEach(
                            (name, value) -> {
                                if (DRAWS.contains(name)) {
                                    throw notAllowed(name);
                                }
                                requireConstant(value);
                            });
            case Value.Array(List<Value> elements) ->
                    elements.forEach(DocumentRule::requireConstant);
            case Value.Text(String text) ->
                    VARIABLES.stream()
                            .filter(name -> text.equals(name) || text.startsWith(name + "."))
                            .findFirst()
                            .ifPresent(
                                    name -> {
                                        throw notAllowed(name);
                                    });
            default -> {}
        }
    }

    private static OrreryException notAllowed(String name) {
        return MongoCode.BAD_VALUE.failure(name + " is not allowed in collection validators");
    }

    /** An expression that fails on a document is not met by it. */
    public boolean accepts(Value.Obj document) {
        try {
            return matcher.matches(document);
        } catch (OrreryException fails) {
            return false;
        }
    }

    /**
     * Tells why a document does not meet the rule, in the form that MongoDB has for it. It has at
     * most {@link Violation#MAX_BYTES}: if values of the document or of the rule are too long for
     * that, it has none.
     */
    public Bytes reasons(Value.Obj document) {
        Details told = new Details().put("failingDocumentId", id(document));
        for (boolean isShort : new boolean[] {false, true}) {
            Details details = told.copy();
            if (isShort) {
                details.put("truncated", Value.of(true));
            }
            try {
                Value.Obj whole =
                        details.put("details", new FilterDetails(document, isShort).of(filter))
                                .build();
                requireRoom(whole);
                Bytes bytes = BsonCodec.write(whole);
                if (bytes.length() <= Violation.MAX_BYTES) {
                    return bytes;
                }
            } catch (OrreryException tooDeep) {
                // What is left out below is also what nests deeply.
            }
        }
        Value note = Value.of("detailed error was too large");
        return BsonCodec.write(told.put("note", note).build());
    }

    /** An id that has the size of a document is not told. */
    private static Value id(Value.Obj document) {
        Value id = document.properties().getOrDefault("_id", Value.Null.NULL);
        Value.Obj alone = new Value.Obj(Map.of("_id", id));
        return BsonCodec.write(alone).length() < Violation.MAX_BYTES / 2 ? id : Value.Null.NULL;
    }

    /** Throws if an answer could not be written because it nests too deeply. */
    private static void requireRoom(Value reasons) {
        Value around = reasons;
        for (int i = 0; i < LEVELS_AROUND; i++) {
            around = new Value.Obj(Map.of("a", around));
        }
        BsonCodec.write((Value.Obj) around);
    }
}
