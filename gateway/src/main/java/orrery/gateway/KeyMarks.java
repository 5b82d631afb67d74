package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.resource.PartitionMap;
import orrery.query.execute.KeyMark;
import orrery.query.execute.QueryPart;
import orrery.query.execute.RowPlace;

/** Finds the sort keys that a token only marks, because they are too long for it. */
final class KeyMarks {
    private final QueryJob job;

    KeyMarks(QueryJob job) {
        this.job = job;
    }

    /** The sort key that a mark names, wherever its item is now, if it still has it. */
    Optional<Bytes> find(KeyMark mark) {
        while (true) {
            PartitionMap map = job.map();
            try {
                List<RowPlace> found = new ArrayList<>();
                FanOut.run(
                        job.visits(map, KeyRange.FULL),
                        visit ->
                                job.read(
                                        visit,
                                        Optional.empty(),
                                        Optional.of(QueryPart.seeking(mark)),
                                        1,
                                        QueryJob.BATCH_BYTES),
                        page -> found.addAll(page.places()));
                return found.stream().map(RowPlace::key).findFirst();
            } catch (OrreryException failure) {
                job.awaitMove(map, failure);
            }
        }
    }
}
