package orrery.frontend.sql;

import orrery.frontend.sql.Addresses.DatabaseAddress;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.Users;
import orrery.model.RequestContext;
import orrery.model.resource.Database;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/** {@code /dbs/{db}/users} and {@code /dbs/{db}/users/{user}}. */
record UserCalls(Users users) implements DatabaseChildRoutes.Calls<User> {
    static DatabaseChildRoutes<User> routes(Users users) {
        return new DatabaseChildRoutes<>(
                new ResourceFeed<>("Users", UserJson::write), User::etag, new UserCalls(users));
    }

    @Override
    public Written<User> create(
            SqlRequest request, RequestContext context, DatabaseAddress database) {
        String id = UserJson.parseId(request.body());
        return request.flag(SqlHeaders.IS_UPSERT)
                ? users.upsert(context, database.ref(), id, request.ifMatch())
                : new Written<>(users.create(context, database.ref(), id), true);
    }

    @Override
    public Page<User> list(RequestContext context, Database database, PageRequest page) {
        return users.list(context, database, page);
    }

    @Override
    public User read(RequestContext context, DatabaseAddress database, String id) {
        return users.read(context, database.user(id));
    }

    @Override
    public User replace(
            SqlRequest request, RequestContext context, DatabaseAddress database, String id) {
        return users.replace(
                context, database.user(id), UserJson.parseId(request.body()), request.ifMatch());
    }

    @Override
    public void delete(
            SqlRequest request, RequestContext context, DatabaseAddress database, String id) {
        users.delete(context, database.user(id), request.ifMatch());
    }
}
