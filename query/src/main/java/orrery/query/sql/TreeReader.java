package orrery.query.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.document.Value;
import orrery.document.ValueCodec;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.MalformedRecordException;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Ordering;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;
import orrery.query.syntax.Source;

/**
 * Reads what {@link TreeWriter} wrote. A tree that was read can be walked by plain recursion, every
 * name in it is bound and every function has as many arguments as it takes, as after parsing.
 */
final class TreeReader {
    /** The parser refuses texts whose trees are deeper than 400 levels, counted a bit otherwise. */
    private static final int MAX_DEPTH = 500;

    /** The parser leaves out a few when it counts. */
    private static final int MAX_NODES = 2 * QueryParser.MAX_NODES;

    private final BinaryReader in;

    /** How many sources around the present place bind an alias. */
    private final Map<String, Integer> aliases = new HashMap<>();

    private int depth;
    private int nodes;

    private TreeReader(BinaryReader in) {
        this.in = in;
    }

    static Query read(Bytes encoded) {
        BinaryReader in = new BinaryReader(encoded);
        Query query = new TreeReader(in).query();
        in.expectEnd();
        return query;
    }

    private Query query() {
        enter();
        int count = in.count();
        List<Source> from = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Source source = source();
            source.alias().ifPresent(alias -> aliases.merge(alias, 1, Integer::sum));
            from.add(source);
        }
        boolean isDistinct = in.bool();
        Query query =
                new Query(
                        isDistinct,
                        optional(this::scalar),
                        selection(from),
                        from,
                        optional(this::scalar),
                        scalars(),
                        optional(this::ordering),
                        optional(() -> new Query.Window(scalar(), scalar())));
        for (Source source : from) {
            source.alias().ifPresent(alias -> aliases.merge(alias, -1, Integer::sum));
        }
        leave();
        return query;
    }

    private Source source() {
        return switch (in.u8()) {
            case TreeWriter.BOUND ->
                    new Source.Bound(in.optional(ValueCodec::readText), collection());
            case TreeWriter.ITERATED -> new Source.Iterated(ValueCodec.readText(in), collection());
            default -> throw new MalformedRecordException("unknown kind of source");
        };
    }

    private Source.Collection collection() {
        return switch (in.u8()) {
            case TreeWriter.SINGLE -> new Source.Collection.Single(scalar());
            case TreeWriter.RESULTS -> new Source.Collection.Results(query());
            default -> throw new MalformedRecordException("unknown kind of collection");
        };
    }

    private Selection selection(List<Source> from) {
        return switch (in.u8()) {
            case TreeWriter.EVERYTHING -> {
                if (from.size() != 1) {
                    throw new MalformedRecordException("a * needs one source");
                }
                yield new Selection.Everything();
            }
            case TreeWriter.BARE -> new Selection.Bare(scalar());
            case TreeWriter.ITEMS ->
                    new Selection.Items(
                            list(() -> new Selection.Item(ValueCodec.readText(in), scalar())));
            default -> throw new MalformedRecordException("unknown kind of selection");
        };
    }

    private Ordering ordering() {
        int kind = in.u8();
        List<Ordering.Item> items = list(() -> new Ordering.Item(scalar(), in.bool()));
        return switch (kind) {
            case TreeWriter.BY_VALUE -> new Ordering.ByValue(items);
            case TreeWriter.BY_RANK -> new Ordering.ByRank(items);
            default -> throw new MalformedRecordException("unknown kind of order");
        };
    }

    private Scalar scalar() {
        enter();
        if (++nodes > MAX_NODES) {
            throw new MalformedRecordException("the query has too many expressions");
        }
        Scalar scalar =
                switch (NodeKind.of(in.u8())) {
                    case CONSTANT -> new Scalar.Constant(ValueCodec.read(in));
                    case UNDEFINED -> new Scalar.Constant(Value.Undefined.UNDEFINED);
                    case PARAMETER -> new Scalar.Parameter(ValueCodec.readText(in));
                    case ITEM -> new Scalar.Item();
                    case REFERENCE -> reference(ValueCodec.readText(in));
                    case PROPERTY -> property(ValueCodec.readText(in));
                    case INDEX -> new Scalar.Index(scalar(), scalar());
                    case ARRAY -> new Scalar.ArrayOf(scalars());
                    case OBJECT ->
                            new Scalar.ObjectOf(
                                    list(
                                            () ->
                                                    new Scalar.Member(
                                                            ValueCodec.readText(in), scalar())));
                    case PREFIX -> new Scalar.Prefix(name(Scalar.PrefixOperator.class), scalar());
                    case INFIX ->
                            new Scalar.Infix(name(Scalar.InfixOperator.class), scalar(), scalar());
                    case AND -> new Scalar.And(operands());
                    case OR -> new Scalar.Or(operands());
                    case BETWEEN -> new Scalar.Between(scalar(), scalar(), scalar());
                    case IN -> new Scalar.In(scalar(), scalars());
                    case LIKE ->
                            new Scalar.Like(scalar(), scalar(), in.optional(r -> (char) r.u16()));
                    case COALESCE -> new Scalar.Coalesce(operands());
                    case CONDITIONAL -> new Scalar.Conditional(scalar(), scalar(), scalar());
                    case CALL -> call(name(BuiltIn.class));
                    case USER_FUNCTION -> userFunction(ValueCodec.readText(in));
                    case SUBQUERY -> new Scalar.Subquery(name(Scalar.SubqueryKind.class), query());
                };
        leave();
        return scalar;
    }

    private Scalar reference(String alias) {
        if (aliases.getOrDefault(alias, 0) == 0) {
            throw new MalformedRecordException("no source has the name that is referred to");
        }
        return new Scalar.Reference(alias);
    }

    private Scalar property(String name) {
        return new Scalar.Property(scalar(), name);
    }

    private Scalar call(BuiltIn function) {
        List<Scalar> arguments = scalars();
        if (!function.takes(arguments.size())) {
            throw new MalformedRecordException(
                    function + " does not take " + arguments.size() + " arguments");
        }
        return new Scalar.Call(function, arguments);
    }

    private Scalar userFunction(String name) {
        return new Scalar.UdfCall(name, scalars());
    }

    private List<Scalar> operands() {
        List<Scalar> operands = scalars();
        if (operands.size() < 2) {
            throw new MalformedRecordException("an operator lacks an operand");
        }
        return operands;
    }

    private List<Scalar> scalars() {
        return list(this::scalar);
    }

    /** Room is made for what is there, not for what is claimed. */
    private <T> List<T> list(Supplier<T> read) {
        int count = in.count();
        List<T> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(read.get());
        }
        return values;
    }

    private <T> Optional<T> optional(Supplier<T> read) {
        return in.bool() ? Optional.of(read.get()) : Optional.empty();
    }

    private <E extends Enum<E>> E name(Class<E> type) {
        String name = in.string();
        try {
            return Enum.valueOf(type, name);
        } catch (IllegalArgumentException unknown) {
            throw new MalformedRecordException(
                    "unknown %s '%s'".formatted(type.getSimpleName(), name), unknown);
        }
    }

    private void enter() {
        if (++depth > MAX_DEPTH) {
            throw new MalformedRecordException("the query is nested too deeply");
        }
    }

    private void leave() {
        depth--;
    }
}
