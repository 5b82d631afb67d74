package orrery.frontend.table;

import orrery.document.edm.EdmValue;
import orrery.query.table.TableFilter;

/** Decides by a filter which tables are listed: a table has one property, its name. */
record TableNameFilter(TableFilter filter) {
    private static final String NAME = "TableName";

    boolean matches(String name) {
        return matches(filter, name);
    }

    private static boolean matches(TableFilter filter, String name) {
        return switch (filter) {
            case TableFilter.Comparison comparison -> compares(comparison, name);
            case TableFilter.And(var conditions) ->
                    conditions.stream().allMatch(each -> matches(each, name));
            case TableFilter.Or(var conditions) ->
                    conditions.stream().anyMatch(each -> matches(each, name));
            case TableFilter.Not(TableFilter condition) -> !matches(condition, name);
            case TableFilter.Flag _ -> false;
            case TableFilter.Constant(boolean value) -> value;
        };
    }

    private static boolean compares(TableFilter.Comparison comparison, String name) {
        if (!comparison.property().equals(NAME)
                || !(comparison.constant() instanceof EdmValue.Text(String text))) {
            return false;
        }
        int order = name.compareTo(text);
        return switch (comparison.operator()) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case GT -> order > 0;
            case GE -> order >= 0;
            case LT -> order < 0;
            case LE -> order <= 0;
        };
    }
}
