package orrery.query.table;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.edm.EdmValue;
import orrery.document.edm.StoredNames;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;

/** Finds the partition keys that a filter leaves, so that a query visits only their ranges. */
final class TableKeys {
    private TableKeys() {}

    /** Empty where any key may have matches; an empty list where none has. */
    static Optional<List<PartitionKey>> of(TableFilter filter, PartitionKeyDefinition definition) {
        if (!TableDefinition.isTable(definition)) {
            return Optional.empty();
        }
        return find(filter, true)
                .map(
                        keys ->
                                keys.stream()
                                        .map(KeyComponent.Text::new)
                                        .map(text -> new PartitionKey(List.of(text)))
                                        .toList());
    }

    /**
     * @param isTrue whether the keys are wanted for which the filter may be true, or false
     */
    private static Optional<Set<String>> find(TableFilter filter, boolean isTrue) {
        return switch (filter) {
            case TableFilter.Constant(boolean value) ->
                    value == isTrue ? Optional.empty() : Optional.of(Set.of());
            case TableFilter.Not(TableFilter inner) -> find(inner, !isTrue);
            case TableFilter.And(List<TableFilter> all) ->
                    isTrue ? all(all, true) : any(all, false);
            case TableFilter.Or(List<TableFilter> any) -> isTrue ? any(any, true) : all(any, false);
            case TableFilter.Comparison comparison -> find(comparison, isTrue);
            case TableFilter.Flag _ -> Optional.empty();
        };
    }

    private static Optional<Set<String>> find(TableFilter.Comparison comparison, boolean isTrue) {
        if (!comparison.property().equals(StoredNames.PARTITION_KEY)) {
            return Optional.empty();
        }
        if (!(comparison.constant() instanceof EdmValue.Text(String key))) {
            return isTrue ? Optional.of(Set.of()) : Optional.empty();
        }
        TableFilter.Operator operator =
                isTrue ? comparison.operator() : comparison.operator().negated();
        return operator == TableFilter.Operator.EQ ? Optional.of(Set.of(key)) : Optional.empty();
    }

    private static Optional<Set<String>> all(List<TableFilter> filters, boolean isTrue) {
        Optional<Set<String>> keys = Optional.empty();
        for (TableFilter each : filters) {
            Optional<Set<String>> some = find(each, isTrue);
            if (keys.isEmpty()) {
                keys = some;
            } else if (some.isPresent()) {
                Set<String> both = new LinkedHashSet<>(keys.get());
                both.retainAll(some.get());
                keys = Optional.of(both);
            }
        }
        return keys;
    }

    private static Optional<Set<String>> any(List<TableFilter> filters, boolean isTrue) {
        Set<String> keys = new LinkedHashSet<>();
        for (TableFilter each : filters) {
            Optional<Set<String>> some = find(each, isTrue);
            if (some.isEmpty()) {
                return Optional.empty();
            }
            keys.addAll(some.get());
        }
        return Optional.of(keys);
    }
}
