package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.KeyRange;
import orrery.query.dialect.GroupTable;

/** The groups of an answer: those gathered so far, or all of them in the order of the answer. */
final class GroupState implements KeptState {
    private final GroupTable groups;
    private final QueryFunctions.Called functions;
    private List<QueryToken.Part> left =
            List.of(new QueryToken.Part(KeyRange.FULL, new QueryToken.Place.Unread()));
    private Optional<GroupResults> results = Optional.empty();

    /**
     * @param functions those that the results of the groups call
     */
    GroupState(GroupTable groups, QueryFunctions.Called functions) {
        this.groups = groups;
        this.functions = functions;
    }

    GroupTable groups() {
        return groups;
    }

    /** Returns the ranges of keys that are to be read, and how far each has come. */
    List<QueryToken.Part> left() {
        return left;
    }

    void leave(List<QueryToken.Part> parts) {
        left = new ArrayList<>(parts);
    }

    /** Returns the results, once all has been read. */
    GroupResults results(boolean isDistinct) {
        if (results.isEmpty()) {
            results = Optional.of(new GroupResults(groups.list(), isDistinct));
        }
        return results.get();
    }

    QueryFunctions.Called functions() {
        return functions;
    }

    @Override
    public long sizeBytes() {
        return groups.sizeBytes() + results.map(GroupResults::sizeBytes).orElse(0L);
    }
}
