package orrery.query.evaluate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import orrery.document.GeoJson;
import orrery.document.Value;
import orrery.document.spatial.Shape;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.query.syntax.BuiltIn;

/**
 * The ST_ functions. What is no GeoJSON gives undefined, and so does a geometry that is not valid,
 * unless its validity is the question.
 */
final class SpatialFunctions {
    private static final Value UNDEFINED = Value.Undefined.UNDEFINED;

    /** The work of comparing two edges, in characters of a text. */
    private static final long PAIR_WORK = 500;

    /** The work of making a shape and checking it, for each position. */
    private static final long POSITION_WORK = 10_000;

    private SpatialFunctions() {}

    /** A constant geometry is made once. */
    static Expression compile(BuiltIn function, Expression[] arguments, Geospatial space) {
        Function<Bindings, Optional<Shape>> first = shape(arguments[0], space);
        if (arguments.length == 1) {
            return row -> first.apply(row).map(shape -> unary(function, shape)).orElse(UNDEFINED);
        }
        Function<Bindings, Optional<Shape>> second = shape(arguments[1], space);
        return row -> {
            Optional<Shape> left = first.apply(row);
            Optional<Shape> right = left.isPresent() ? second.apply(row) : Optional.empty();
            if (right.isEmpty()) {
                return UNDEFINED;
            }
            // At worst each edge is held against each.
            row.countWork(PAIR_WORK * left.get().size() * right.get().size());
            return binary(function, left.get(), right.get());
        };
    }

    private static Function<Bindings, Optional<Shape>> shape(
            Expression argument, Geospatial space) {
        if (argument instanceof Expression.Constant(Value value)) {
            Optional<Shape> shape = shape(value, space);
            return row -> shape;
        }
        return row -> {
            Optional<Shape> shape = shape(argument.evaluate(row), space);
            shape.ifPresent(made -> row.countWork(POSITION_WORK * made.size()));
            return shape;
        };
    }

    private static Optional<Shape> shape(Value value, Geospatial space) {
        return GeoJson.parse(value).map(figure -> Shape.of(figure, space));
    }

    private static Value unary(BuiltIn function, Shape shape) {
        return switch (function) {
            case ST_ISVALID -> Value.of(shape.fault().isEmpty());
            case ST_ISVALIDDETAILED -> {
                Map<String, Value> details = new LinkedHashMap<>();
                details.put("valid", Value.of(shape.fault().isEmpty()));
                shape.fault().ifPresent(reason -> details.put("reason", Value.of(reason)));
                yield new Value.Obj(details);
            }
            case ST_AREA -> shape.fault().isEmpty() ? Value.of(shape.area()) : UNDEFINED;
            default -> throw new IllegalStateException("no function on a geometry: " + function);
        };
    }

    private static Value binary(BuiltIn function, Shape left, Shape right) {
        if (left.fault().isPresent() || right.fault().isPresent()) {
            return UNDEFINED;
        }
        return switch (function) {
            case ST_DISTANCE -> Value.of(left.distance(right));
            case ST_INTERSECTS -> Value.of(left.intersects(right));
            case ST_WITHIN -> Value.of(left.isWithin(right));
            default -> throw new IllegalStateException("no function on geometries: " + function);
        };
    }
}
