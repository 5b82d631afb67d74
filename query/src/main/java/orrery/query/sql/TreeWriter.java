package orrery.query.sql;

import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.document.ValueCodec;
import orrery.model.Bytes;
import orrery.model.codec.BinaryWriter;
import orrery.query.syntax.Ordering;
import orrery.query.syntax.Query;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;
import orrery.query.syntax.Source;

/**
 * Writes syntax trees as docs/formats/messages.md says. Operators and functions go by their names,
 * so that their order in the code may change. Sources come before what refers to them.
 */
final class TreeWriter {
    static final int BOUND = 1;
    static final int ITERATED = 2;
    static final int SINGLE = 1;
    static final int RESULTS = 2;
    static final int EVERYTHING = 1;
    static final int BARE = 2;
    static final int ITEMS = 3;
    static final int BY_VALUE = 1;
    static final int BY_RANK = 2;

    private final BinaryWriter out = new BinaryWriter(256);

    private TreeWriter() {}

    static Bytes write(Query query) {
        TreeWriter writer = new TreeWriter();
        writer.query(query);
        return writer.out.toBytes();
    }

    private void query(Query query) {
        out.varint(query.from().size());
        for (Source source : query.from()) {
            source(source);
        }
        out.bool(query.distinct());
        optional(query.top());
        selection(query.selection());
        optional(query.where());
        scalars(query.groupBy());
        out.bool(query.orderBy().isPresent());
        query.orderBy().ifPresent(this::ordering);
        out.bool(query.window().isPresent());
        if (query.window().isPresent()) {
            scalar(query.window().get().offset());
            scalar(query.window().get().limit());
        }
    }

    private void source(Source source) {
        switch (source) {
            case Source.Bound(Optional<String> alias, Source.Collection collection) -> {
                out.u8(BOUND).optional(alias, ValueCodec::writeText);
                collection(collection);
            }
            case Source.Iterated(String name, Source.Collection collection) -> {
                text(ITERATED, name);
                collection(collection);
            }
        }
    }

    private void collection(Source.Collection collection) {
        switch (collection) {
            case Source.Collection.Single(Scalar value) -> {
                out.u8(SINGLE);
                scalar(value);
            }
            case Source.Collection.Results(Query query) -> {
                out.u8(RESULTS);
                query(query);
            }
        }
    }

    private void selection(Selection selection) {
        switch (selection) {
            case Selection.Everything _ -> out.u8(EVERYTHING);
            case Selection.Bare(Scalar value) -> {
                out.u8(BARE);
                scalar(value);
            }
            case Selection.Items(List<Selection.Item> items) -> {
                out.u8(ITEMS).varint(items.size());
                for (Selection.Item item : items) {
                    ValueCodec.writeText(out, item.name());
                    scalar(item.value());
                }
            }
        }
    }

    private void ordering(Ordering ordering) {
        out.u8(
                switch (ordering) {
                    case Ordering.ByValue _ -> BY_VALUE;
                    case Ordering.ByRank _ -> BY_RANK;
                });
        out.varint(ordering.items().size());
        for (Ordering.Item item : ordering.items()) {
            scalar(item.value());
            out.bool(item.descending());
        }
    }

    private void optional(Optional<Scalar> scalar) {
        out.bool(scalar.isPresent());
        scalar.ifPresent(this::scalar);
    }

    private void scalars(List<Scalar> scalars) {
        out.varint(scalars.size());
        for (Scalar each : scalars) {
            scalar(each);
        }
    }

    private void scalar(Scalar scalar) {
        switch (scalar) {
            case Scalar.Constant(Value value) -> constant(value);
            case Scalar.Parameter(String name) -> text(NodeKind.PARAMETER, name);
            case Scalar.Item _ -> kind(NodeKind.ITEM);
            case Scalar.Reference(String alias) -> text(NodeKind.REFERENCE, alias);
            case Scalar.Property(Scalar base, String name) -> {
                text(NodeKind.PROPERTY, name);
                scalar(base);
            }
            case Scalar.Index(Scalar base, Scalar index) -> pair(NodeKind.INDEX, base, index);
            case Scalar.ArrayOf(List<Scalar> elements) -> list(NodeKind.ARRAY, elements);
            case Scalar.ObjectOf(List<Scalar.Member> members) -> object(members);
            case Scalar.Prefix(Scalar.PrefixOperator operator, Scalar operand) -> {
                named(NodeKind.PREFIX, operator);
                scalar(operand);
            }
            case Scalar.Infix(Scalar.InfixOperator operator, Scalar left, Scalar right) -> {
                named(NodeKind.INFIX, operator);
                scalar(left);
                scalar(right);
            }
            case Scalar.And(List<Scalar> operands) -> list(NodeKind.AND, operands);
            case Scalar.Or(List<Scalar> operands) -> list(NodeKind.OR, operands);
            case Scalar.Between(Scalar value, Scalar low, Scalar high) -> {
                pair(NodeKind.BETWEEN, value, low);
                scalar(high);
            }
            case Scalar.In(Scalar value, List<Scalar> candidates) -> {
                kind(NodeKind.IN);
                scalar(value);
                scalars(candidates);
            }
            case Scalar.Like(Scalar value, Scalar pattern, Optional<Character> escape) -> {
                pair(NodeKind.LIKE, value, pattern);
                out.optional(escape, (w, character) -> w.u16(character));
            }
            case Scalar.Coalesce(List<Scalar> operands) -> list(NodeKind.COALESCE, operands);
            case Scalar.Conditional(Scalar test, Scalar then, Scalar otherwise) -> {
                pair(NodeKind.CONDITIONAL, test, then);
                scalar(otherwise);
            }
            case Scalar.Call call -> {
                named(NodeKind.CALL, call.function());
                scalars(call.arguments());
            }
            case Scalar.UdfCall(String name, List<Scalar> arguments) -> {
                text(NodeKind.USER_FUNCTION, name);
                scalars(arguments);
            }
            case Scalar.Subquery(Scalar.SubqueryKind kind, Query query) -> {
                named(NodeKind.SUBQUERY, kind);
                query(query);
            }
        }
    }

    private void constant(Value value) {
        if (value.isDefined()) {
            kind(NodeKind.CONSTANT);
            ValueCodec.write(out, value);
        } else {
            kind(NodeKind.UNDEFINED);
        }
    }

    private void object(List<Scalar.Member> members) {
        kind(NodeKind.OBJECT);
        out.varint(members.size());
        for (Scalar.Member member : members) {
            ValueCodec.writeText(out, member.name());
            scalar(member.value());
        }
    }

    private void list(NodeKind kind, List<Scalar> scalars) {
        kind(kind);
        scalars(scalars);
    }

    private void pair(NodeKind kind, Scalar first, Scalar second) {
        kind(kind);
        scalar(first);
        scalar(second);
    }

    private void named(NodeKind kind, Enum<?> name) {
        kind(kind);
        out.string(name.name());
    }

    private void text(NodeKind kind, String text) {
        text(kind.number(), text);
    }

    private void text(int kind, String text) {
        out.u8(kind);
        ValueCodec.writeText(out, text);
    }

    private void kind(NodeKind kind) {
        out.u8(kind.number());
    }
}
