package orrery.gateway;

import java.util.Optional;
import orrery.cluster.api.Catalog;
import orrery.gateway.Authorizer.Reach;
import orrery.gateway.api.ClientEncryptionKeys;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.ContainerUsage;
import orrery.gateway.api.Indexes;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.Permissions;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Resources;
import orrery.gateway.api.Scripts;
import orrery.gateway.api.TableSettings;
import orrery.gateway.api.Users;
import orrery.model.ContainerDefinition;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;

/**
 * The part of the door for resources: checks who asks and what they ask for, counts the request,
 * and reads or changes the catalog.
 */
final class ResourceDoor implements Resources {
    private final CatalogDoor metadata;
    private final Catalog catalog;
    private final Resolver resolver;
    private final Doorkeeper door;
    private final ResourcePages pages;
    private final ServiceQuotas quotas;
    private final Faults faults;
    private final ContainerSurvey survey;
    private final OfferRouter offers;
    private final ScriptRouter scripts;
    private final UserRouter users;
    private final PermissionRouter permissions;
    private final ClientEncryptionKeyRouter encryptionKeys;
    private final TableRouter tables;
    private final IndexRouter indexes;

    ResourceDoor(
            CatalogDoor metadata,
            Faults faults,
            ContainerSurvey survey,
            OfferRouter offers,
            ScriptRouter scripts,
            PermissionRouter permissions,
            TableRouter tables) {
        this.metadata = metadata;
        this.catalog = metadata.catalog();
        this.resolver = metadata.resolver();
        this.door = metadata.door();
        this.pages = metadata.pages();
        this.quotas = metadata.quotas();
        this.faults = faults;
        this.survey = survey;
        this.offers = offers;
        this.scripts = scripts;
        this.users = new UserRouter(metadata);
        this.permissions = permissions;
        this.encryptionKeys = new ClientEncryptionKeyRouter(metadata);
        this.tables = tables;
        this.indexes = new IndexRouter(catalog, door);
    }

    @Override
    public Database createDatabase(
            RequestContext context, String name, Optional<Throughput> throughput) {
        door.check(context, Action.CREATE_DATABASE, new Reach.OneDatabase(name));
        throughput.ifPresent(value -> rules().checkNewDatabase(value));
        quotas.countCreate(catalog.settings());
        return catalog.createDatabase(context, name, throughput);
    }

    @Override
    public Database readDatabase(RequestContext context, ResourceRef database) {
        metadata.admit(context, Action.READ_RESOURCES);
        return resolver.database(database);
    }

    @Override
    public void deleteDatabase(
            RequestContext context, ResourceRef database, Precondition precondition) {
        door.check(context, Action.CHANGE_RESOURCES);
        Database present = resolver.database(database);
        catalog.deleteDatabase(context, present, precondition);
        faults.clearDatabase(present.number());
    }

    @Override
    public Page<Database> listDatabases(RequestContext context, PageRequest page) {
        metadata.admit(context, Action.READ_RESOURCES);
        return pages.page("databases", page, catalog::databases, Database::number);
    }

    @Override
    public Container createContainer(
            RequestContext context,
            Database database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput) {
        door.check(context, Action.CREATE_CONTAINER, new Reach.OneDatabase(database.name()));
        boolean shares =
                throughput.isEmpty() && catalog.findDatabaseOffer(database.number()).isPresent();
        Optional<Throughput> own =
                shares
                        ? Optional.empty()
                        : Optional.of(throughput.orElseGet(() -> rules().defaultFor(definition)));
        own.ifPresent(value -> rules().checkNewContainer(value, definition));
        encryptionKeys.checkKeys(database, definition);
        ContainerRules.checkCreate(definition, shares);
        ComputedRules.check(definition);
        quotas.countCreate(catalog.settings());
        return catalog.createContainer(context, database, name, definition, own);
    }

    @Override
    public Container readContainer(RequestContext context, ContainerRef container) {
        Container found = door.subject(context, container, Action.READ_CONTAINER);
        quotas.countMetadata(catalog.settings());
        return found;
    }

    @Override
    public Database resolve(RequestContext context, ResourceRef database) {
        door.check(
                context,
                Action.FIND_DATABASE,
                database instanceof ResourceRef.Named(String name)
                        ? new Reach.OneDatabase(name)
                        : Reach.ACCOUNT);
        return resolver.owner(database);
    }

    @Override
    public ContainerRef.Resolved resolve(
            RequestContext context, ContainerRef.Addressed container, ContainerRef.Role role) {
        return door.resolve(context, container, role);
    }

    @Override
    public Container replaceContainer(
            RequestContext context,
            ContainerRef container,
            ContainerDefinition definition,
            Precondition precondition) {
        Container present = door.subject(context, container, Action.CHANGE_CONTAINER);
        ContainerRules.checkReplace(present.definition(), definition);
        ComputedRules.check(definition);
        return catalog.replaceContainer(context, present, definition, precondition);
    }

    @Override
    public void deleteContainer(
            RequestContext context, ContainerRef container, Precondition precondition) {
        Container present = door.subject(context, container, Action.DELETE_CONTAINER);
        catalog.deleteContainer(context, present, precondition);
        faults.clear(present.number());
    }

    @Override
    public Container takeName(
            RequestContext context,
            ContainerRef container,
            String name,
            Optional<ContainerRef> replaced) {
        Container taker = door.subject(context, container, Action.CHANGE_CONTAINER);
        Optional<Container> gone =
                replaced.map(ref -> door.subject(context, ref, Action.DELETE_CONTAINER));
        Container named = catalog.takeName(context, taker, name, gone);
        gone.ifPresent(each -> faults.clear(each.number()));
        return named;
    }

    @Override
    public Page<Container> listContainers(
            RequestContext context, Database database, PageRequest page) {
        door.check(context, Action.LIST_CONTAINERS, new Reach.OneDatabase(database.name()));
        quotas.countMetadata(catalog.settings());
        return pages.page(
                "containers of " + database.number(),
                page,
                (after, limit) -> catalog.containers(database.number(), after, limit),
                Container::number);
    }

    @Override
    public PartitionMap readPartitionMap(RequestContext context, ContainerRef container) {
        Container owner = door.owner(context, container, Action.READ_CONTAINER);
        quotas.countMetadata(catalog.settings());
        return resolver.map(owner);
    }

    @Override
    public ContainerUsage readUsage(RequestContext context, ContainerRef ref) {
        return survey.usage(context, door.subject(context, ref, Action.INSPECT));
    }

    @Override
    public ContainerReport inspect(RequestContext context, ContainerRef container, int keys) {
        return survey.inspect(context, door.subject(context, container, Action.INSPECT), keys);
    }

    @Override
    public Offer readOffer(RequestContext context, ResourceId offer) {
        metadata.admit(context, Action.READ_RESOURCES);
        return resolver.offer(offer);
    }

    @Override
    public Page<Offer> listOffers(RequestContext context, PageRequest page) {
        metadata.admit(context, Action.READ_RESOURCES);
        return pages.page("offers", page, catalog::offers, Offer::number);
    }

    @Override
    public Optional<Offer> findOffer(RequestContext context, ResourceId resource) {
        door.check(context, Action.READ_RESOURCES);
        if (resource.container().isPresent()) {
            return catalog.findContainerOffer(resource.container().getAsInt());
        }
        return resource.database().isPresent()
                ? catalog.findDatabaseOffer(resource.database().getAsInt())
                : Optional.empty();
    }

    @Override
    public Offer replaceOffer(
            RequestContext context,
            ResourceId offer,
            Throughput throughput,
            Optional<ThroughputBuckets> buckets,
            Precondition precondition) {
        door.check(context, Action.CHANGE_RESOURCES);
        return offers.replace(context, resolver.offer(offer), throughput, buckets, precondition);
    }

    @Override
    public boolean isReplacePending(RequestContext context, Offer offer) {
        door.check(context, Action.READ_RESOURCES);
        return catalog.isScaling(offer);
    }

    @Override
    public Offer migrateOffer(RequestContext context, ResourceId offer, Throughput.Mode target) {
        door.check(context, Action.CHANGE_RESOURCES);
        return offers.migrate(context, resolver.offer(offer), target);
    }

    @Override
    public int minimumThroughput(RequestContext context, Offer offer) {
        door.check(context, Action.READ_RESOURCES);
        return offers.minimum(context, offer);
    }

    private ThroughputRules rules() {
        return new ThroughputRules(catalog.settings());
    }

    @Override
    public Scripts scripts() {
        return scripts;
    }

    @Override
    public Users users() {
        return users;
    }

    @Override
    public Permissions permissions() {
        return permissions;
    }

    @Override
    public ClientEncryptionKeys clientEncryptionKeys() {
        return encryptionKeys;
    }

    @Override
    public Indexes indexes() {
        return indexes;
    }

    @Override
    public TableSettings tableSettings() {
        return tables;
    }
}
