package orrery.query.evaluate;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import orrery.document.Value;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.query.syntax.Scalar;

/**
 * Makes the expressions of one query execution ready to run. They share its parameters, its clock
 * and the instant it began. Safe to share.
 */
public final class Evaluator {
    private final Map<String, Value> parameters;
    private final InstantSource clock;
    private final Geospatial space;
    private final UserFunctions functions;
    private final ComputedProperties computed;
    private final Instant began;

    /**
     * @param parameters by name, with the {@code @}; a missing one is undefined
     * @param space what the coordinates of the container's geometries mean
     * @param functions those of the container's users
     * @param computed properties of the items that the expressions are about
     */
    public Evaluator(
            Map<String, Value> parameters,
            InstantSource clock,
            Geospatial space,
            UserFunctions functions,
            ComputedProperties computed) {
        this.parameters = Map.copyOf(parameters);
        this.clock = clock;
        this.space = space;
        this.functions = functions;
        this.computed = computed;
        this.began = clock.instant();
    }

    /** Knows no functions and no computed properties. */
    public Evaluator(Map<String, Value> parameters, InstantSource clock, Geospatial space) {
        this(parameters, clock, space, UserFunctions.NONE, ComputedProperties.NONE);
    }

    /** Makes an evaluator for coordinates on the earth, the default of containers. */
    public Evaluator(Map<String, Value> parameters, InstantSource clock) {
        this(parameters, clock, Geospatial.GEOGRAPHY);
    }

    /** Takes the time of this machine. */
    public Evaluator(Map<String, Value> parameters, Geospatial space) {
        this(parameters, InstantSource.system(), space);
    }

    /** Takes the time of this machine, and functions of the container's users. */
    public Evaluator(Map<String, Value> parameters, Geospatial space, UserFunctions functions) {
        this(parameters, space, functions, ComputedProperties.NONE);
    }

    /** Takes the time of this machine. */
    public Evaluator(
            Map<String, Value> parameters,
            Geospatial space,
            UserFunctions functions,
            ComputedProperties computed) {
        this(parameters, InstantSource.system(), space, functions, computed);
    }

    /** Takes the time of this machine. For what holds no geometries or only reads keys. */
    public Evaluator(Map<String, Value> parameters) {
        this(parameters, InstantSource.system());
    }

    /**
     * Fails with BAD_REQUEST or NOT_IMPLEMENTED for what this version cannot evaluate, even where
     * no row would get that far.
     */
    public Expression compile(Scalar scalar) {
        return new Compiler(this).compile(scalar);
    }

    /** Evaluates an expression once. Callers with many rows compile first. */
    public Value evaluate(Scalar scalar, Bindings row) {
        return compile(scalar).evaluate(row);
    }

    Value parameter(String name) {
        return parameters.getOrDefault(name, Value.Undefined.UNDEFINED);
    }

    public Geospatial space() {
        return space;
    }

    UserFunctions functions() {
        return functions;
    }

    public ComputedProperties computed() {
        return computed;
    }

    InstantSource clock() {
        return clock;
    }

    /** Returns the instant that the STATIC functions of date and time answer. */
    Instant began() {
        return began;
    }
}
