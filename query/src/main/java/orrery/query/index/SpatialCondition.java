package orrery.query.index;

import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Scalar.InfixOperator;

/**
 * A condition that only a geometry can meet which comes near to another: {@code ST_DISTANCE(c.a,
 * @b) < 5}, {@code ST_WITHIN(c.a, @b)} and their like.
 *
 * @param path the geometry of the item
 * @param other the one that is the same for all items, if it is a geometry at all
 * @param distance how near; zero for those that must touch
 */
record SpatialCondition(Scalar path, Value other, double distance) {
    static Optional<SpatialCondition> find(Scalar where, PathNames paths, Constants constants) {
        return switch (where) {
            case Scalar.Call(BuiltIn function, List<Scalar> arguments)
                    when function == BuiltIn.ST_WITHIN || function == BuiltIn.ST_INTERSECTS ->
                    of(arguments, 0, paths, constants);
            case Scalar.Infix(InfixOperator operator, Scalar left, Scalar right) ->
                    switch (operator) {
                        case LESS, LESS_OR_EQUAL -> distance(left, right, paths, constants);
                        case GREATER, GREATER_OR_EQUAL -> distance(right, left, paths, constants);
                        case EQUAL ->
                                isTrue(right, constants) && left instanceof Scalar.Call
                                        ? find(left, paths, constants)
                                        : distance(left, right, paths, constants);
                        default -> Optional.empty();
                    };
            case Scalar.Between(Scalar value, _, Scalar high) ->
                    distance(value, high, paths, constants);
            default -> Optional.empty();
        };
    }

    private static boolean isTrue(Scalar scalar, Constants constants) {
        return constants.find(scalar).filter(Value.of(true)::equals).isPresent();
    }

    private static Optional<SpatialCondition> distance(
            Scalar measured, Scalar limit, PathNames paths, Constants constants) {
        if (!(measured instanceof Scalar.Call(BuiltIn function, List<Scalar> arguments))
                || function != BuiltIn.ST_DISTANCE) {
            return Optional.empty();
        }
        return constants
                .find(limit)
                .filter(Value::isNumber)
                .flatMap(number -> of(arguments, Math.max(0, toDouble(number)), paths, constants));
    }

    private static double toDouble(Value number) {
        return number instanceof Value.Int(long value) ? value : ((Value.Real) number).value();
    }

    /** One of two geometries is that of the item, whichever comes first. */
    private static Optional<SpatialCondition> of(
            List<Scalar> geometries, double distance, PathNames paths, Constants constants) {
        for (int i = 0; i < 2; i++) {
            Scalar path = geometries.get(i);
            Optional<Value> other = constants.find(geometries.get(1 - i));
            if (other.isPresent()
                    && paths.find(path).filter(found -> !found.steps().isEmpty()).isPresent()) {
                return Optional.of(new SpatialCondition(path, other.get(), distance));
            }
        }
        return Optional.empty();
    }
}
