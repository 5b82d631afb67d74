package orrery.cluster;

import java.util.List;
import java.util.Optional;
import orrery.cluster.api.TableCatalog;
import orrery.cluster.catalog.CatalogState;
import orrery.cluster.catalog.TableCommand;
import orrery.model.RequestContext;
import orrery.model.resource.Container;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.resource.TableServiceProperties;

/** Stored access policies and the properties of the Table service in the catalog. */
final class TableRegister implements TableCatalog {
    private final CatalogState state;
    private final CatalogWriter writer;

    TableRegister(CatalogState state, CatalogWriter writer) {
        this.state = state;
        this.writer = writer;
    }

    @Override
    public Optional<Container> find(int database, String name) {
        return state.tableNames().find(database, name);
    }

    @Override
    public List<Container> from(int database, String first, int limit) {
        return state.tableNames().from(database, first, limit);
    }

    @Override
    public List<StoredAccessPolicy> policies(Container table) {
        return state.tablePolicies(table.number());
    }

    @Override
    public void setPolicies(
            RequestContext context, Container table, List<StoredAccessPolicy> policies) {
        writer.submit(
                new TableCommand.SetTablePolicies(table.number(), policies), context.remaining());
    }

    @Override
    public TableServiceProperties service() {
        return state.tableService();
    }

    @Override
    public void setService(RequestContext context, TableServiceProperties properties) {
        writer.submit(new TableCommand.SetTableService(properties), context.remaining());
    }
}
