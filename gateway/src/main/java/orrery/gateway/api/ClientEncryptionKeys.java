package orrery.gateway.api;

import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.ClientEncryptionKeyDefinition;
import orrery.model.resource.Database;

/**
 * The part of the door for the keys with which clients encrypt properties. As in the service, a key
 * is never deleted but with its database: items could not be read without it.
 */
public interface ClientEncryptionKeys {
    ClientEncryptionKey create(
            RequestContext context, ResourceRef database, ClientEncryptionKeyDefinition definition);

    ClientEncryptionKey read(RequestContext context, ResourceRef database, ResourceRef key);

    /** Wraps a key anew; its name and its algorithm stay. */
    ClientEncryptionKey replace(
            RequestContext context,
            ResourceRef database,
            ResourceRef key,
            ClientEncryptionKeyDefinition definition,
            Precondition precondition);

    Page<ClientEncryptionKey> list(RequestContext context, Database database, PageRequest page);
}
