package orrery.gateway.api;

import java.util.List;
import java.util.function.UnaryOperator;
import orrery.model.RequestContext;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.resource.TableServiceProperties;

/** The part of the door for what only tables have besides their entities. */
public interface TableSettings {
    /**
     * The names of tables from one on, in their order. There may be more.
     *
     * @param first the least name that may be among them
     */
    List<String> listTables(RequestContext context, String first, int limit);

    List<StoredAccessPolicy> readPolicies(RequestContext context, ContainerRef table);

    /** Puts these policies in the place of all that the table has. */
    void setPolicies(RequestContext context, ContainerRef table, List<StoredAccessPolicy> policies);

    TableServiceProperties readService(RequestContext context);

    /**
     * Changes the properties of the service.
     *
     * @param change makes the new ones of those that are there
     */
    void changeService(RequestContext context, UnaryOperator<TableServiceProperties> change);
}
