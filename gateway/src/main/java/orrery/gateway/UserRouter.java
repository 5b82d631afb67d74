package orrery.gateway;

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
    private final CatalogDoor door;

    UserRouter(CatalogDoor door) {
        this.door = door;
    }

    @Override
    public User create(RequestContext context, ResourceRef database, String name) {
        door.admit(context, Action.CHANGE_RESOURCES);
        return door.catalog().access().createUser(context, door.resolver().owner(database), name);
    }

    @Override
    public Written<User> upsert(
            RequestContext context, ResourceRef database, String name, Precondition precondition) {
        door.admit(context, Action.CHANGE_RESOURCES);
        return door.catalog()
                .access()
                .upsertUser(context, door.resolver().owner(database), name, precondition);
    }

    @Override
    public User read(RequestContext context, UserRef user) {
        door.admit(context, Action.READ_RESOURCES);
        return door.resolver().user(user);
    }

    @Override
    public User resolve(RequestContext context, UserRef user) {
        door.door().check(context, Action.READ_RESOURCES);
        return door.resolver().owner(user);
    }

    @Override
    public User replace(
            RequestContext context, UserRef user, String name, Precondition precondition) {
        door.admit(context, Action.CHANGE_RESOURCES);
        return door.catalog()
                .access()
                .replaceUser(context, door.resolver().user(user), name, precondition);
    }

    @Override
    public void delete(RequestContext context, UserRef user, Precondition precondition) {
        door.admit(context, Action.CHANGE_RESOURCES);
        door.catalog().access().deleteUser(context, door.resolver().user(user), precondition);
    }

    @Override
    public Page<User> list(RequestContext context, Database database, PageRequest page) {
        door.admit(context, Action.READ_RESOURCES);
        return door.pages()
                .page(
                        "users of " + database.number(),
                        page,
                        (after, limit) ->
                                door.catalog().access().users(database.number(), after, limit),
                        User::number);
    }
}
