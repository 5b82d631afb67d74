package orrery.frontend.gremlin.traversal;

import java.util.Iterator;

/**
 * The results of one request, made as they are asked for by the thread of the request: elements,
 * paths, maps, lists, texts, numbers and booleans of TinkerPop; traversers for bytecode. {@link
 * #hasNext} and {@link #next} throw {@link GraphException} and {@link
 * orrery.model.OrreryException}.
 */
public interface GraphRun extends Iterator<Object>, AutoCloseable {
    /** Returns the request units that the run has cost so far, also where it has failed. */
    double charge();

    /** Ends the run early and gives back what it holds. A second call does nothing. */
    @Override
    void close();
}
