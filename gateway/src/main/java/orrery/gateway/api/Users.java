package orrery.gateway.api;

import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.resource.Database;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/** The part of the door for users of databases, who hold permissions. */
public interface Users {
    User create(RequestContext context, ResourceRef database, String name);

    /** Creates a user, or writes the one that has this name anew. */
    Written<User> upsert(
            RequestContext context, ResourceRef database, String name, Precondition precondition);

    User read(RequestContext context, UserRef user);

    /** Finds the user that owns what a request is about; a missing one is OWNER_NOT_FOUND. */
    User resolve(RequestContext context, UserRef user);

    /** Gives a user another name, which may be the one it has. */
    User replace(RequestContext context, UserRef user, String name, Precondition precondition);

    /** Its permissions go with it. */
    void delete(RequestContext context, UserRef user, Precondition precondition);

    Page<User> list(RequestContext context, Database database, PageRequest page);
}
