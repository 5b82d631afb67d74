package orrery.gateway.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.UserRef;
import orrery.gateway.api.Users;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.resource.Database;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/** Users in memory. */
public final class FakeUsers implements Users {
    private final FakeResources resources;
    private final List<User> users = new ArrayList<>();
    private int nextNumber = 1;
    private int nextEtag = 1;

    FakeUsers(FakeResources resources) {
        this.resources = resources;
    }

    @Override
    public User create(RequestContext context, ResourceRef database, String name) {
        if (find(context, new UserRef(database, new ResourceRef.Named(name))).isPresent()) {
            throw new OrreryException(ErrorCode.CONFLICT, "exists");
        }
        User user = user(nextNumber++, resources.resolve(context, database).number(), name);
        users.add(user);
        return user;
    }

    @Override
    public Written<User> upsert(
            RequestContext context, ResourceRef database, String name, Precondition precondition) {
        UserRef named = new UserRef(database, new ResourceRef.Named(name));
        return find(context, named).isPresent()
                ? new Written<>(replace(context, named, name, precondition), false)
                : new Written<>(create(context, database, name), true);
    }

    @Override
    public User read(RequestContext context, UserRef user) {
        return require(context, user, ErrorCode.NOT_FOUND);
    }

    @Override
    public User resolve(RequestContext context, UserRef user) {
        return require(context, user, ErrorCode.OWNER_NOT_FOUND);
    }

    @Override
    public User replace(
            RequestContext context, UserRef ref, String name, Precondition precondition) {
        User present = checked(context, ref, precondition);
        User replaced = user(present.number(), present.database(), name);
        users.set(users.indexOf(present), replaced);
        return replaced;
    }

    @Override
    public void delete(RequestContext context, UserRef ref, Precondition precondition) {
        users.remove(checked(context, ref, precondition));
    }

    @Override
    public Page<User> list(RequestContext context, Database database, PageRequest page) {
        return FakePages.page(
                users.stream().filter(user -> user.database() == database.number()).toList(), page);
    }

    private User user(int number, int database, String name) {
        return new User(number, database, name, new Etag(nextEtag++, 0), FakeItems.NOW_MILLIS);
    }

    private User checked(RequestContext context, UserRef ref, Precondition precondition) {
        User present = require(context, ref, ErrorCode.NOT_FOUND);
        if (!Precondition.holds(precondition, present.etag())) {
            throw new OrreryException(ErrorCode.PRECONDITION_FAILED, "overtaken");
        }
        return present;
    }

    private User require(RequestContext context, UserRef ref, ErrorCode whenMissing) {
        return find(context, ref).orElseThrow(() -> new OrreryException(whenMissing, "missing"));
    }

    private Optional<User> find(RequestContext context, UserRef ref) {
        int database = resources.resolve(context, ref.database()).number();
        return users.stream()
                .filter(user -> user.database() == database)
                .filter(
                        user ->
                                switch (ref.user()) {
                                    case ResourceRef.Named(String name) -> user.name().equals(name);
                                    case ResourceRef.Identified(ResourceId rid) ->
                                            user.rid().equals(rid);
                                })
                .findFirst();
    }
}
