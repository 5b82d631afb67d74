package orrery.query;

import java.util.Optional;
import orrery.query.execute.ResumePoint;

/**
 * A query as a front-end asks it.
 *
 * @param resume where a client that merges sorted results wants to begin
 */
public record QueryCall(Statement statement, Optional<ResumePoint> resume) {
    public static QueryCall of(Statement statement) {
        return new QueryCall(statement, Optional.empty());
    }
}
