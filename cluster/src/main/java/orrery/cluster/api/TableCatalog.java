package orrery.cluster.api;

import java.util.List;
import java.util.Optional;
import orrery.model.RequestContext;
import orrery.model.resource.Container;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.resource.TableServiceProperties;

/**
 * The part of the catalog that only tables have. Look-ups are answered from memory; changes are
 * durable when they return.
 */
public interface TableCatalog {
    /** Finds a table by its name in letters of either case. */
    Optional<Container> find(int database, String name);

    /**
     * The tables from a name on, sorted by their names.
     *
     * @param first the least name that may be among them
     */
    List<Container> from(int database, String first, int limit);

    /** The stored access policies of a table, in the order in which they were set. */
    List<StoredAccessPolicy> policies(Container table);

    /** Puts these policies in the place of all that the table has. */
    void setPolicies(RequestContext context, Container table, List<StoredAccessPolicy> policies);

    TableServiceProperties service();

    void setService(RequestContext context, TableServiceProperties properties);
}
