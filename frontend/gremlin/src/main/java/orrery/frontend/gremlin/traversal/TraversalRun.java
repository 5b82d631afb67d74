package orrery.frontend.gremlin.traversal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.FailStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.jspecify.annotations.Nullable;
import orrery.frontend.gremlin.traversal.graph.GraphMemory;
import orrery.frontend.gremlin.traversal.graph.GraphMeter;
import orrery.frontend.gremlin.traversal.graph.GraphStore;
import orrery.frontend.gremlin.traversal.script.Script;
import orrery.model.OrreryException;

/** The statements of a request, carried out one after the other; the last one answers. */
final class TraversalRun implements GraphRun {
    private final GraphStore store;
    private final GraphMeter meter;
    private final GraphMemory memory;
    private final Deque<Script.Statement> statements;
    private final boolean asTraversers;

    /** The results of the last statement; absent until those before it are carried out. */
    private @Nullable Iterator<?> results;

    private Optional<Traversal.Admin<?, ?>> open = Optional.empty();
    private boolean isClosed;

    /**
     * @param asTraversers whether results are wanted with how often they come
     */
    TraversalRun(
            GraphStore store,
            GraphMeter meter,
            GraphMemory memory,
            List<Script.Statement> statements,
            boolean asTraversers) {
        this.store = store;
        this.meter = meter;
        this.memory = memory;
        this.statements = new ArrayDeque<>(statements);
        this.asTraversers = asTraversers;
    }

    @Override
    public boolean hasNext() {
        if (isClosed) {
            return false;
        }
        boolean hasNext = guarded(() -> results().hasNext());
        if (!hasNext) {
            close();
        }
        return hasNext;
    }

    @Override
    public Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return guarded(() -> results().next());
    }

    private Iterator<?> results() {
        store.check();
        Iterator<?> known = results;
        while (known == null) {
            Script.Statement statement = statements.removeFirst();
            Iterator<?> own = results(statement);
            if (statements.isEmpty()) {
                known = own;
            } else {
                while (own.hasNext()) {
                    store.check();
                    own.next();
                }
                closeTraversal();
            }
        }
        results = known;
        return known;
    }

    private Iterator<?> results(Script.Statement statement) {
        Traversal.Admin<?, ?> traversal = statement.traversal();
        open = Optional.of(traversal);
        return switch (statement.wanted()) {
            case Script.Wanted.All _ -> asTraversers ? new Traversers(traversal) : traversal;
            case Script.Wanted.First(long count) -> new First(traversal, count);
            case Script.Wanted.Any _ -> List.of(traversal.hasNext()).iterator();
            case Script.Wanted.Nothing _ -> {
                while (traversal.hasNext()) {
                    store.check();
                    traversal.next();
                }
                yield List.of().iterator();
            }
        };
    }

    private record Traversers(Traversal.Admin<?, ?> traversal) implements Iterator<Object> {
        @Override
        public boolean hasNext() {
            return traversal.hasNext();
        }

        @Override
        public Object next() {
            return traversal.nextTraverser();
        }
    }

    private static final class First implements Iterator<Object> {
        private final Iterator<?> all;
        private long left;

        private First(Iterator<?> all, long count) {
            this.all = all;
            this.left = count;
        }

        @Override
        public boolean hasNext() {
            return left > 0 && all.hasNext();
        }

        @Override
        public Object next() {
            left--;
            return all.next();
        }
    }

    /** Gives what a step of TinkerPop throws at its author the form of a failure of the request. */
    private static <T> T guarded(Supplier<T> work) {
        try {
            return work.get();
        } catch (GraphException | OrreryException known) {
            throw known;
        } catch (TraversalInterruptedException interrupted) {
            throw new GraphException(
                    GraphException.Fault.TIMEOUT, "The traversal was ended before it was done.");
        } catch (IllegalArgumentException
                | IllegalStateException
                | UnsupportedOperationException
                | ClassCastException
                | NoSuchElementException
                | ArithmeticException
                | FailStep.FailException refused) {
            throw new GraphException(GraphException.Fault.EXECUTION, told(refused));
        }
    }

    /** TinkerPop tells its own developers of its classes; authors of traversals hear what to do. */
    private static String told(RuntimeException refused) {
        String message = Optional.ofNullable(refused.getMessage()).orElse("");
        if (message.contains("~to") || message.contains("~from")) {
            return "addE() needs a vertex at each end, and from() or to() finds none.";
        }
        boolean isForDevelopers =
                refused instanceof ClassCastException
                        || message.isEmpty()
                        || message.contains("org.apache.")
                        || message.contains("orrery.");
        return isForDevelopers ? "A step cannot be carried out on what it was given." : message;
    }

    @Override
    public double charge() {
        return meter.ru();
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            closeTraversal();
            memory.close();
        }
    }

    private void closeTraversal() {
        open.ifPresent(
                traversal -> {
                    try {
                        traversal.close();
                    } catch (Exception failed) {
                        throw new IllegalStateException("a traversal does not close", failed);
                    }
                });
        open = Optional.empty();
    }
}
