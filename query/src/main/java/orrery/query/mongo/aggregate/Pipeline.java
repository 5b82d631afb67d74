package orrery.query.mongo.aggregate;

import java.util.List;

/** The stages of a pipeline, in order. Safe to share. */
public record Pipeline(List<Stage> stages) {
    public Pipeline {
        stages = List.copyOf(stages);
    }
}
