package orrery.query.mongo.update;

import java.util.Optional;
import java.util.OptionalInt;
import orrery.document.Value;

/** A change of documents that was read and can be applied to one after the other. */
sealed interface DocumentUpdate permits OperatorUpdate, ReplacementUpdate, PipelineUpdate {
    /**
     * Returns the document after the change; empty if nothing changes.
     *
     * @param found the element of an array by which the query found the document
     * @param isInsert whether the document is made of the query because there was none
     */
    Optional<Value.Obj> apply(Value.Obj document, OptionalInt found, boolean isInsert);

    /** Returns true if the change names a path that leads to a field or into it. */
    boolean names(UpdatePath field);
}
