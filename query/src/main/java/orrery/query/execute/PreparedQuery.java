package orrery.query.execute;

import orrery.query.dialect.AnswerShape;
import orrery.query.dialect.Program;
import orrery.query.dialect.ReadNames;
import orrery.query.dialect.RowLimit;
import orrery.query.dialect.SortOrder;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.index.IndexFilter;

/**
 * A query with its parameters, made ready to run on any partition: a program in its language, and
 * what every language tells the engine about it. Safe to share between threads.
 *
 * @param filter the bounds of the filter in the index: all items that match are within
 * @param isExact whether the items with the entries of the filter are exactly those that match
 * @param isPart whether its answer is one of several that are merged
 * @param names the properties of items that it looks at
 * @param computed properties of the container
 */
public record PreparedQuery(
        Program program,
        AnswerShape answer,
        IndexFilter filter,
        boolean isExact,
        SortOrder order,
        RowLimit limit,
        boolean isPart,
        RowForm form,
        ReadNames names,
        ComputedProperties computed) {
    /** The form in which results are returned. */
    public enum RowForm {
        /** Each result is an item as it is, and each item that matches is one. */
        ITEM,
        /** Like {@link #ITEM}, and of the properties of the service the etag alone. */
        ITEM_AND_ETAG,
        /** Each result is an item as it is, for each row of it that matches. */
        ITEM_OF_ROW,
        /** Results are what the program makes of rows. */
        RESULT
    }

    /**
     * Returns true if the results are items as they are, so that nothing needs to be compared or
     * printed.
     */
    boolean isWholeItem() {
        return form != RowForm.RESULT;
    }

    /** Returns true if the results are those items that match, one each. */
    boolean isItems() {
        return form == RowForm.ITEM || form == RowForm.ITEM_AND_ETAG;
    }
}
