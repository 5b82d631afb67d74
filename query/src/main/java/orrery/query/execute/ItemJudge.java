package orrery.query.execute;

import java.util.Optional;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.query.dialect.ProgramRun;
import orrery.query.index.PathValues;

/** Tells where items stand in the order of a query, for candidates that come by it. */
final class ItemJudge {
    private final ProgramRun program;
    private final ItemReader reader;
    private final PageWork work;
    private final Optional<Sorting> sorting;

    ItemJudge(ProgramRun program, ItemReader reader, PageWork work, Optional<Sorting> sorting) {
        this.program = program;
        this.reader = reader;
        this.work = work;
        this.sorting = sorting;
    }

    /** Returns a candidate with its sort key, if it matches. */
    Optional<SortedCandidates.Judged> judge(Candidates candidates) {
        Item item = reader.load(candidates);
        if (!program.mayMatch(item)) {
            work.row();
            return Optional.empty();
        }
        Value value = reader.read(item);
        if (!candidates.accepts(reader.paths(value))) {
            return Optional.empty();
        }
        program.open(value);
        while (program.hasNext()) {
            program.next();
            work.row();
            if (program.matches()) {
                work.match();
                return Optional.of(
                        new SortedCandidates.Judged(item, wanted().of(program.sortValues())));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the sort key of an item that shares its index term with items that sort differently.
     */
    Bytes sortKey(Bytes key) {
        PathValues values = reader.paths(reader.read(reader.load(key)));
        return wanted().of(
                        wanted().parts().stream().map(part -> values.find(part.path())).toList());
    }

    private SortKey wanted() {
        return sorting.orElseThrow().key();
    }
}
