package orrery.gateway;

import orrery.cluster.api.Catalog;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.UserRef;
import orrery.gateway.api.Users;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.resource.Database;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/** Users as resources of the catalog. */
final class UserRouter implements Users {
    private final Catalog catalog;
    private final Resolver resolver;
    private final Doorkeeper door;
    private final ResourcePages pages;
    private final ServiceQuotas quotas;

    UserRouter(
            Catalog catalog,
            Resolver resolver,
            Doorkeeper door,
            ResourcePages pages,
            ServiceQuotas quotas) {
        this.catalog = catalog;
        this.resolver = resolver;
        this.door = door;
        this.pages = pages;
        this.quotas = quotas;
    }

    @Override
    public User create(RequestContext context, ResourceRef database, String name) {
        admit(context, Action.CHANGE_RESOURCES);
        return catalog.access().createUser(context, resolver.owner(database), name);
    }

    @Override
    public Written<User> upsert(
            RequestContext context, ResourceRef database, String name, Precondition precondition) {
        admit(context, Action.CHANGE_RESOURCES);
        return catalog.access().upsertUser(context, resolver.owner(database), name, precondition);
    }

    @Override
    public User read(RequestContext context, UserRef user) {
        admit(context, Action.READ_RESOURCES);
        return resolver.user(user);
    }

    @Override
    public User resolve(RequestContext context, UserRef user) {
        door.check(context, Action.READ_RESOURCES);
        return resolver.owner(user);
    }

    @Override
    public User replace(
            RequestContext context, UserRef user, String name, Precondition precondition) {
        admit(context, Action.CHANGE_RESOURCES);
        return catalog.access().replaceUser(context, resolver.user(user), name, precondition);
    }

    @Override
    public void delete(RequestContext context, UserRef user, Precondition precondition) {
        admit(context, Action.CHANGE_RESOURCES);
        catalog.access().deleteUser(context, resolver.user(user), precondition);
    }

    @Override
    public Page<User> list(RequestContext context, Database database, PageRequest page) {
        admit(context, Action.READ_RESOURCES);
        return pages.page(
                "users of " + database.number(),
                page,
                (after, limit) -> catalog.access().users(database.number(), after, limit),
                User::number);
    }

    private void admit(RequestContext context, Action action) {
        door.check(context, action);
        quotas.countMetadata(catalog.settings());
    }
}
