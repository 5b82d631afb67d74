package orrery.query.index;

import java.util.List;
import orrery.query.syntax.Scalar;

/** Puts one expression in the place of another. */
final class Substitution {
    private final Scalar from;
    private final Scalar to;

    Substitution(Scalar from, Scalar to) {
        this.from = from;
        this.to = to;
    }

    Scalar apply(Scalar scalar) {
        if (scalar.equals(from)) {
            return to;
        }
        return switch (scalar) {
            case Scalar.Constant _,
                    Scalar.Parameter _,
                    Scalar.Item _,
                    Scalar.Reference _,
                    Scalar.Subquery _ ->
                    scalar;
            case Scalar.Property(Scalar base, String name) ->
                    new Scalar.Property(apply(base), name);
            case Scalar.Index(Scalar base, Scalar index) ->
                    new Scalar.Index(apply(base), apply(index));
            case Scalar.ArrayOf(List<Scalar> elements) -> new Scalar.ArrayOf(all(elements));
            case Scalar.ObjectOf(List<Scalar.Member> members) ->
                    new Scalar.ObjectOf(
                            members.stream()
                                    .map(
                                            member ->
                                                    new Scalar.Member(
                                                            member.name(), apply(member.value())))
                                    .toList());
            case Scalar.Prefix(var operator, Scalar operand) ->
                    new Scalar.Prefix(operator, apply(operand));
            case Scalar.Infix(var operator, Scalar left, Scalar right) ->
                    new Scalar.Infix(operator, apply(left), apply(right));
            case Scalar.And(List<Scalar> operands) -> new Scalar.And(all(operands));
            case Scalar.Or(List<Scalar> operands) -> new Scalar.Or(all(operands));
            case Scalar.Between(Scalar value, Scalar low, Scalar high) ->
                    new Scalar.Between(apply(value), apply(low), apply(high));
            case Scalar.In(Scalar value, List<Scalar> candidates) ->
                    new Scalar.In(apply(value), all(candidates));
            case Scalar.Like(Scalar value, Scalar pattern, var escape) ->
                    new Scalar.Like(apply(value), apply(pattern), escape);
            case Scalar.Coalesce(List<Scalar> operands) -> new Scalar.Coalesce(all(operands));
            case Scalar.Conditional(Scalar test, Scalar then, Scalar otherwise) ->
                    new Scalar.Conditional(apply(test), apply(then), apply(otherwise));
            case Scalar.Call(var function, List<Scalar> arguments) ->
                    new Scalar.Call(function, all(arguments));
            case Scalar.UdfCall(String name, List<Scalar> arguments) ->
                    new Scalar.UdfCall(name, all(arguments));
        };
    }

    private List<Scalar> all(List<Scalar> scalars) {
        return scalars.stream().map(this::apply).toList();
    }
}
