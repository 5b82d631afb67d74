package orrery.gateway;

import java.util.List;
import java.util.Optional;
import orrery.cluster.api.Catalog;
import orrery.gateway.api.AccessPolicies;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.TableSettings;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.resource.TableServiceProperties;
import orrery.query.table.TableDefinition;

/** Stored access policies of tables, and the properties of the Table service. */
final class TableRouter implements TableSettings, AccessPolicies {
    /** Names that are read at once. */
    private static final int NAMES_AT_ONCE = 1000;

    private final Catalog catalog;
    private final Doorkeeper door;

    TableRouter(Catalog catalog, Doorkeeper door) {
        this.catalog = catalog;
        this.door = door;
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
    public void setService(RequestContext context, TableServiceProperties properties) {
        door.check(context, Action.CHANGE_TABLE_SERVICE);
        catalog.tables().setService(context, properties);
    }

    /**
     * Refuses a table whose name differs from that of another in case only. A shared access
     * signature signs the name in lower case, so one for the first would open the second too.
     */
    void checkName(Database database, String name, ContainerDefinition definition) {
        if (definition.kind() != ContainerKind.TABLE) {
            return;
        }
        int after = 0;
        List<Container> page = catalog.containers(database.number(), after, NAMES_AT_ONCE);
        while (!page.isEmpty()) {
            for (Container other : page) {
                if (other.name().equalsIgnoreCase(name)) {
                    throw new OrreryException(
                            ErrorCode.CONFLICT,
                            "The table "
                                    + other.name()
                                    + " exists. Names of tables differ in more than case.");
                }
            }
            after = page.getLast().number();
            page = catalog.containers(database.number(), after, NAMES_AT_ONCE);
        }
    }

    @Override
    public Optional<StoredAccessPolicy> find(String table, String id) {
        return catalog.findDatabase(TableDefinition.DATABASE)
                .flatMap(
                        database ->
                                catalog.findContainer(database.number(), table)
                                        .filter(
                                                container ->
                                                        container.definition().kind()
                                                                == ContainerKind.TABLE))
                .flatMap(
                        container ->
                                catalog.tables().policies(container).stream()
                                        .filter(policy -> policy.id().equals(id))
                                        .findFirst());
    }
}
