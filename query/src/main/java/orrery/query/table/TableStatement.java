package orrery.query.table;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.BoundQuery;
import orrery.query.EncodedQuery;
import orrery.query.QuerySize;
import orrery.query.QuerySurroundings;
import orrery.query.Statement;
import orrery.query.dialect.AnswerShape;

/**
 * A query over the entities of a table. Its rows are items as they are stored, with their etags, in
 * the order of partition keys and then of row keys, by UTF-16 units. Items without these keys,
 * which only other APIs can write, are no entities.
 *
 * @param filter {@link TableFilter.Constant} true where all are wanted
 * @param select the properties that rows have, as clients name them, if not all; rows have the keys
 *     and the etag in any case
 */
public record TableStatement(TableFilter filter, Optional<List<String>> select)
        implements Statement {
    /** The service documents 15; clients that look up many keys write more. */
    public static final int MAX_COMPARISONS = 1000;

    public static final int MAX_DEPTH = 200;

    /** The service's limit for the properties of an entity, its keys and its time among them. */
    public static final int MAX_SELECTED = 255;

    private static final AnswerShape SHAPE =
            new AnswerShape(true, false, false, false, true, false);

    /** Fails with BAD_REQUEST for a filter or a selection that is too large. */
    public TableStatement {
        select = select.map(List::copyOf);
        int comparisons = comparisons(filter, MAX_DEPTH);
        if (comparisons > MAX_COMPARISONS) {
            throw tooLarge(
                    "The filter has %d comparisons, and %d are the most that are supported."
                            .formatted(comparisons, MAX_COMPARISONS));
        }
        if (select.isPresent() && select.get().size() > MAX_SELECTED) {
            throw tooLarge("No more than %d properties can be selected.".formatted(MAX_SELECTED));
        }
    }

    private static int comparisons(TableFilter filter, int levelsLeft) {
        if (levelsLeft == 0) {
            throw tooLarge("The filter is nested more than %d levels deep.".formatted(MAX_DEPTH));
        }
        return switch (filter) {
            case TableFilter.Comparison _, TableFilter.Flag _, TableFilter.Constant _ -> 1;
            case TableFilter.Not(TableFilter inner) -> comparisons(inner, levelsLeft - 1);
            case TableFilter.And(List<TableFilter> all) -> comparisons(all, levelsLeft - 1);
            case TableFilter.Or(List<TableFilter> any) -> comparisons(any, levelsLeft - 1);
        };
    }

    private static int comparisons(List<TableFilter> filters, int levelsLeft) {
        return filters.stream().mapToInt(each -> comparisons(each, levelsLeft)).sum();
    }

    private static OrreryException tooLarge(String message) {
        return new OrreryException(ErrorCode.BAD_REQUEST, message);
    }

    @Override
    public EncodedQuery encoded() {
        return new EncodedQuery(TableDialect.NAME, TableDialect.VERSION, FilterCodec.write(this));
    }

    @Override
    public AnswerShape answer() {
        return SHAPE;
    }

    @Override
    public Encoding encoding() {
        return Encoding.JSON;
    }

    @Override
    public QuerySize size() {
        return new QuerySize(
                encoded().payload().length(),
                comparisons(filter, MAX_DEPTH) + select.map(List::size).orElse(0));
    }

    @Override
    public boolean isShort() {
        return encoded().isShort();
    }

    @Override
    public boolean isDerived() {
        return false;
    }

    @Override
    public Set<String> functions() {
        return Set.of();
    }

    @Override
    public boolean isTimeless() {
        return true;
    }

    @Override
    public BoundQuery bind(QuerySurroundings surroundings) {
        return new TableBoundQuery(this, surroundings.computed());
    }
}
