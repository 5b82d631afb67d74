package orrery.bench;

import java.util.List;

/** One thing that is measured. */
interface Measurement {
    /** The name that {@code --only} takes. */
    String name();

    List<Row> run(Bench bench) throws Exception;
}
