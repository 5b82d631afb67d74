package orrery.query.dialect;

import java.util.Optional;
import orrery.document.PropertyNames;

/**
 * The stored top-level properties that a query looks at; absent where it may be any.
 *
 * @param ofCandidates of an item that may match, besides being returned
 * @param ofMatches of an item that is known to match
 */
public record ReadNames(Optional<PropertyNames> ofCandidates, Optional<PropertyNames> ofMatches) {
    public static final ReadNames ANY = new ReadNames(Optional.empty(), Optional.empty());

    /** Returns true if the answer depends only on which items match, not on their contents. */
    public boolean isNothingOfMatches() {
        return ofMatches.isPresent() && ofMatches.get().isEmpty();
    }
}
