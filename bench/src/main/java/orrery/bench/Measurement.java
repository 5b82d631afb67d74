package orrery.bench;

import java.util.List;

/** One thing that is measured. */
interface Measurement {
    /** As {@code --only} names it. */
    String name();

    List<Row> run(Bench bench) throws Exception;
}
