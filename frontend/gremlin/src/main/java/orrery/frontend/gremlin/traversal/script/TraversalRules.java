package orrery.frontend.gremlin.traversal.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.LoopTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.LambdaHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.AddPropertyStepContract;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.jspecify.annotations.Nullable;
import orrery.frontend.gremlin.traversal.GraphException;

/** The service's rules for traversals. */
public final class TraversalRules {
    /** The service's limit on the steps of one traversal, with those inside of others. */
    public static final int MAX_STEPS = 400;

    /** The service's limit on the iterations of repeat(). */
    public static final int MAX_ITERATIONS = 32;

    private TraversalRules() {}

    /** Throws for a traversal beyond a limit, or with a step that is not supported. */
    public static void check(Traversal.Admin<?, ?> traversal) {
        int steps = count(traversal);
        if (steps > MAX_STEPS) {
            throw limit(
                    "A traversal may have %d steps, and this one has %d."
                            .formatted(MAX_STEPS, steps));
        }
    }

    private static int count(Traversal.Admin<?, ?> traversal) {
        int steps = 0;
        for (Step<?, ?> step : traversal.getSteps()) {
            steps++;
            check(step);
            if (step instanceof TraversalParent parent) {
                for (Traversal.Admin<?, ?> child : parent.getLocalChildren()) {
                    steps += count(child);
                }
                for (Traversal.Admin<?, ?> child : parent.getGlobalChildren()) {
                    steps += count(child);
                }
            }
        }
        return steps;
    }

    private static void check(Step<?, ?> step) {
        switch (step) {
            case LambdaHolder _ -> throw lambda();
            case RepeatStep<?> repeat
                    when repeat.getUntilTraversal() instanceof LoopTraversal<?> times
                            && times.getMaxLoops() > MAX_ITERATIONS ->
                    throw limit(
                            "repeat() may go round %d times, and this one has times(%d)."
                                    .formatted(MAX_ITERATIONS, times.getMaxLoops()));
            case AddPropertyStepContract<?> property
                    when property.getCardinality() == VertexProperty.Cardinality.set ->
                    throw CompileFailure.of(
                            "The cardinality 'set' is not supported by property(); use 'list'.");
            default -> {}
        }
    }

    private static GraphException lambda() {
        return CompileFailure.of("Lambdas are not supported.");
    }

    private static GraphException limit(String message) {
        return new GraphException(GraphException.Fault.LIMIT, message);
    }

    /** Returns bytecode of a client in the dialect; throws for what it may not hold. */
    public static Bytecode checked(Bytecode bytecode) {
        Bytecode checked = new Bytecode();
        for (Bytecode.Instruction instruction : bytecode.getSourceInstructions()) {
            checked.addSource(name(instruction), arguments(instruction));
        }
        for (Bytecode.Instruction instruction : bytecode.getStepInstructions()) {
            checked.addStep(name(instruction), arguments(instruction));
        }
        return checked;
    }

    private static String name(Bytecode.Instruction instruction) {
        if (UnsupportedSteps.NAMES.contains(instruction.getOperator())) {
            throw CompileFailure.noMethod(instruction.getOperator());
        }
        return instruction.getOperator();
    }

    private static Object[] arguments(Bytecode.Instruction instruction) {
        List<Object> arguments = new ArrayList<>();
        for (Object argument : instruction.getArguments()) {
            arguments.add(argument(argument));
        }
        boolean isRead =
                instruction.getOperator().equals("V") || instruction.getOperator().equals("E");
        if (isRead && arguments.size() == 1 && arguments.getFirst() instanceof List<?>) {
            // One name in brackets, which TinkerPop would take for a list of ids.
            arguments.add(List.of());
        }
        return arguments.toArray();
    }

    private static @Nullable Object argument(@Nullable Object argument) {
        return switch (argument) {
            case Lambda _ -> throw lambda();
            case Bytecode inner -> checked(inner);
            case Traversal<?, ?> traversal -> checked(traversal.asAdmin().getBytecode());
            case List<?> list -> list.stream().map(TraversalRules::argument).toList();
            case Map<?, ?> _ ->
                    throw CompileFailure.of("A map is no argument of a step that is supported.");
            case null -> null;
            default -> argument;
        };
    }
}
