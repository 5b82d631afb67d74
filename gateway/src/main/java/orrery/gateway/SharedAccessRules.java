package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.edm.EdmValue;
import orrery.gateway.Authorizer.Reach;
import orrery.gateway.api.ItemRef;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.resource.Container;
import orrery.model.security.EntityRange;
import orrery.model.security.SharedAccess;
import orrery.model.security.SharedAccess.Level;
import orrery.model.security.SharedAccess.Right;
import orrery.query.QueryCall;
import orrery.query.table.TableDefinition;
import orrery.query.table.TableFilter;
import orrery.query.table.TableFilter.Operator;
import orrery.query.table.TableStatement;

/**
 * Says what the holders of shared access signatures may do, as the service does. A signature opens
 * tables and nothing else, whatever is asked for in its name.
 */
final class SharedAccessRules {
    private static final String PARTITION_KEY = "PartitionKey";
    private static final String ROW_KEY = "RowKey";

    private SharedAccessRules() {}

    /** Throws where the signature does not open this. */
    static void check(SharedAccess access, Action action, Reach reach) {
        switch (access) {
            case SharedAccess.OneTable one -> check(one, action, reach);
            case SharedAccess.AllTables all -> check(all, action, reach);
        }
    }

    private static void check(SharedAccess.OneTable one, Action action, Reach reach) {
        Container table = table(reach).orElseThrow(Authorizer::insufficient);
        if (!table.name().equalsIgnoreCase(one.table())) {
            throw Authorizer.insufficient();
        }
        if (action == Action.RESOLVE) {
            return;
        }
        requireRights(one.rights(), ofEntities(action).orElseThrow(Authorizer::insufficient));
        requireWithin(one.range(), reach);
    }

    private static void check(SharedAccess.AllTables all, Action action, Reach reach) {
        boolean isOfTables =
                switch (reach) {
                    case Reach.Account _ -> false;
                    case Reach.OneDatabase(String name) -> name.equals(TableDefinition.DATABASE);
                    default -> table(reach).isPresent();
                };
        switch (action) {
            case READ_TABLE_SERVICE -> require(all, Level.SERVICE, Set.of(Right.READ));
            case CHANGE_TABLE_SERVICE -> require(all, Level.SERVICE, Set.of(Right.WRITE));
            default -> {
                if (!isOfTables) {
                    throw Authorizer.insufficient();
                }
                checkTables(all, action);
            }
        }
    }

    private static void checkTables(SharedAccess.AllTables all, Action action) {
        switch (action) {
            // On the way to something, which is checked by itself.
            case RESOLVE, FIND_DATABASE -> {}
            case LIST_CONTAINERS, READ_CONTAINER -> require(all, Level.TABLES, Set.of(Right.LIST));
            case DELETE_CONTAINER -> require(all, Level.TABLES, Set.of(Right.DELETE));
            case CREATE_CONTAINER, CREATE_DATABASE ->
                    require(
                            all,
                            Level.TABLES,
                            Set.of(
                                    all.rights().contains(Right.WRITE)
                                            ? Right.WRITE
                                            : Right.CREATE));
            default ->
                    require(
                            all,
                            Level.ENTITIES,
                            ofEntities(action).orElseThrow(Authorizer::insufficient));
        }
    }

    private static void require(SharedAccess.AllTables all, Level level, Set<Right> rights) {
        if (!all.levels().contains(level)) {
            throw new OrreryException(
                    ErrorCode.RESOURCE_TYPE_MISSING,
                    "The shared access signature opens no resources of this type.");
        }
        requireRights(all.rights(), rights);
    }

    private static void requireRights(Set<Right> present, Set<Right> wanted) {
        if (!present.containsAll(wanted)) {
            throw new OrreryException(
                    ErrorCode.RIGHT_MISSING, "The shared access signature lacks the right for it.");
        }
    }

    /** The rights that something done to entities needs; empty for what no signature opens. */
    private static Optional<Set<Right>> ofEntities(Action action) {
        return switch (action) {
            case READ_ITEMS -> Optional.of(Set.of(Right.READ));
            case INSERT_ITEMS -> Optional.of(Set.of(Right.ADD));
            case UPDATE_ITEMS -> Optional.of(Set.of(Right.UPDATE));
            case UPSERT_ITEMS -> Optional.of(Set.of(Right.ADD, Right.UPDATE));
            case DELETE_ITEMS -> Optional.of(Set.of(Right.DELETE));
            default -> Optional.empty();
        };
    }

    /** The table that a request reaches, if it reaches no more than one. */
    private static Optional<Container> table(Reach reach) {
        Optional<Container> container =
                switch (reach) {
                    case Reach.Account _, Reach.OneDatabase _ -> Optional.empty();
                    case Reach.Entities(Container one, EntityRange _) -> Optional.of(one);
                    case Reach.Whole(Container one) -> Optional.of(one);
                    case Reach.OneKey(Container one, PartitionKey _) -> Optional.of(one);
                    case Reach.OneItem item -> Optional.of(item.container());
                    case Reach.OneScript _ -> Optional.empty();
                };
        return container.filter(one -> one.definition().kind() == ContainerKind.TABLE);
    }

    private static void requireWithin(EntityRange range, Reach reach) {
        boolean isWithin =
                range.isAll()
                        || switch (reach) {
                            case Reach.Entities(Container _, EntityRange asked) ->
                                    asked.equals(range);
                            // The row is in the body, and is checked when that has been read.
                            case Reach.OneKey(Container _, PartitionKey key) ->
                                    text(key).filter(range::reaches).isPresent();
                            case Reach.OneItem(
                                            Container _,
                                            Optional<PartitionKey> key,
                                            ItemRef.Named(var row)) ->
                                    row.isText()
                                            && key.flatMap(SharedAccessRules::text)
                                                    .filter(
                                                            text ->
                                                                    range.contains(
                                                                            text, row.text()))
                                                    .isPresent();
                            default -> false;
                        };
        if (!isWithin) {
            throw outside();
        }
    }

    /** Checks an entity whose keys were found in a body. */
    static void checkKey(SharedAccess access, ItemKey key) {
        EntityRange range = range(access);
        boolean isWithin =
                range.isAll()
                        || (key.rowKey().isText()
                                && text(key.partitionKey())
                                        .filter(text -> range.contains(text, key.rowKey().text()))
                                        .isPresent());
        if (!isWithin) {
            throw outside();
        }
    }

    static EntityRange range(SharedAccess access) {
        return access instanceof SharedAccess.OneTable one ? one.range() : EntityRange.ALL;
    }

    private static OrreryException outside() {
        return new OrreryException(
                ErrorCode.FORBIDDEN,
                "The shared access signature does not open entities with these keys.");
    }

    private static Optional<String> text(PartitionKey key) {
        return key.components().size() == 1
                        && key.components().getFirst() instanceof KeyComponent.Text(String text)
                ? Optional.of(text)
                : Optional.empty();
    }

    /** The same query over the entities of a range. Only queries over tables can be confined. */
    static QueryCall confined(QueryCall call, EntityRange range) {
        if (!(call.statement() instanceof TableStatement statement)) {
            throw Authorizer.insufficient();
        }
        if (range.isAll()) {
            return call;
        }
        List<TableFilter> conditions = new ArrayList<>();
        range.startPartition()
                .ifPresent(start -> conditions.add(from(start, range.startRow(), Operator.GT)));
        range.endPartition()
                .ifPresent(end -> conditions.add(from(end, range.endRow(), Operator.LT)));
        conditions.add(statement.filter());
        return new QueryCall(
                new TableStatement(new TableFilter.And(conditions), statement.select()),
                call.resume());
    }

    /**
     * The condition that an entity lies on one side of a pair of keys, or has them.
     *
     * @param side GT or LT
     */
    private static TableFilter from(String partition, Optional<String> row, Operator side) {
        Operator orEqual = side == Operator.GT ? Operator.GE : Operator.LE;
        if (row.isEmpty()) {
            return comparison(PARTITION_KEY, orEqual, partition);
        }
        return new TableFilter.Or(
                List.of(
                        comparison(PARTITION_KEY, side, partition),
                        new TableFilter.And(
                                List.of(
                                        comparison(PARTITION_KEY, Operator.EQ, partition),
                                        comparison(ROW_KEY, orEqual, row.get())))));
    }

    private static TableFilter comparison(String property, Operator operator, String constant) {
        return new TableFilter.Comparison(property, operator, new EdmValue.Text(constant));
    }
}
