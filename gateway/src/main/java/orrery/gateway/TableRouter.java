package orrery.gateway;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import orrery.cluster.api.Catalog;
import orrery.gateway.Authorizer.Reach;
import orrery.gateway.api.AccessPolicies;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.TableSettings;
import orrery.model.RequestContext;
import orrery.model.resource.Container;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.resource.TableServiceProperties;
import orrery.query.table.TableDefinition;

/** Stored access policies of tables, and the properties of the Table service. */
final class TableRouter implements TableSettings, AccessPolicies {
    private final Catalog catalog;
    private final Doorkeeper door;
    private final ServiceQuotas quotas;

    TableRouter(Catalog catalog, Doorkeeper door, ServiceQuotas quotas) {
        this.catalog = catalog;
        this.door = door;
        this.quotas = quotas;
    }

    @Override
    public List<StoredAccessPolicy> readPolicies(RequestContext context, ContainerRef table) {
        return catalog.tables().policies(door.owner(context, table, Action.READ_POLICIES));
    }

    @Override
    public void setPolicies(
            RequestContext context, ContainerRef table, List<StoredAccessPolicy> policies) {
        Container container = door.owner(context, table, Action.CHANGE_POLICIES);
        catalog.tables().setPolicies(context, container, policies);
    }

    @Override
    public TableServiceProperties readService(RequestContext context) {
        door.check(context, Action.READ_TABLE_SERVICE);
        return catalog.tables().service();
    }

    @Override
    public void changeService(
            RequestContext context, UnaryOperator<TableServiceProperties> change) {
        door.check(context, Action.CHANGE_TABLE_SERVICE);
        catalog.tables().setService(context, change.apply(catalog.tables().service()));
    }

    @Override
    public List<String> listTables(RequestContext context, String first, int limit) {
        door.check(
                context, Action.LIST_CONTAINERS, new Reach.OneDatabase(TableDefinition.DATABASE));
        quotas.countMetadata(catalog.settings());
        return catalog.findDatabase(TableDefinition.DATABASE).stream()
                .flatMap(
                        database -> catalog.tables().from(database.number(), first, limit).stream())
                .map(Container::name)
                .toList();
    }

    @Override
    public Optional<StoredAccessPolicy> find(String table, String id) {
        return catalog.findDatabase(TableDefinition.DATABASE)
                .flatMap(database -> catalog.tables().find(database.number(), table))
                .flatMap(
                        container ->
                                catalog.tables().policies(container).stream()
                                        .filter(policy -> policy.id().equals(id))
                                        .findFirst());
    }
}
