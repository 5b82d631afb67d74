package orrery.gateway.fake;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.TableSettings;
import orrery.model.RequestContext;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.resource.TableServiceProperties;

/** Policies of tables and properties of the Table service in memory. */
public final class FakeTableSettings implements TableSettings {
    private final FakeResources resources;
    private final Map<Integer, List<StoredAccessPolicy>> policies = new HashMap<>();
    private TableServiceProperties service = TableServiceProperties.DEFAULT;

    FakeTableSettings(FakeResources resources) {
        this.resources = resources;
    }

    @Override
    public List<String> listTables(RequestContext context, String first, int limit) {
        return resources.tableNames().stream()
                .filter(name -> name.compareTo(first) >= 0)
                .sorted()
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized List<StoredAccessPolicy> readPolicies(
            RequestContext context, ContainerRef table) {
        return policies.getOrDefault(resources.readContainer(context, table).number(), List.of());
    }

    @Override
    public synchronized void setPolicies(
            RequestContext context, ContainerRef table, List<StoredAccessPolicy> changed) {
        policies.put(resources.readContainer(context, table).number(), List.copyOf(changed));
    }

    @Override
    public synchronized TableServiceProperties readService(RequestContext context) {
        return service;
    }

    @Override
    public synchronized void changeService(
            RequestContext context, UnaryOperator<TableServiceProperties> change) {
        service = change.apply(service);
    }
}
