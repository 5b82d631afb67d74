package orrery.frontend.sql;

import orrery.frontend.sql.Addresses.DatabaseAddress;
import orrery.gateway.api.ClientEncryptionKeys;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.model.RequestContext;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.Database;
import orrery.model.resource.Written;

/**
 * {@code /dbs/{db}/clientencryptionkeys} and what lies in it. As in the service, a key is neither
 * deleted nor upserted: a key that is replaced by chance takes along what it has encrypted.
 */
record ClientEncryptionKeyCalls(ClientEncryptionKeys keys)
        implements DatabaseChildRoutes.Calls<ClientEncryptionKey> {
    static DatabaseChildRoutes<ClientEncryptionKey> routes(ClientEncryptionKeys keys) {
        return new DatabaseChildRoutes<>(
                new ResourceFeed<>("ClientEncryptionKeys", ClientEncryptionKeyJson::write),
                ClientEncryptionKey::etag,
                new ClientEncryptionKeyCalls(keys));
    }

    @Override
    public Written<ClientEncryptionKey> create(
            SqlRequest request, RequestContext context, DatabaseAddress database) {
        SqlEndpoint.refuseUpsert(request, "Client encryption keys");
        return new Written<>(
                keys.create(context, database.ref(), ClientEncryptionKeyJson.parse(request.body())),
                true);
    }

    @Override
    public Page<ClientEncryptionKey> list(
            RequestContext context, Database database, PageRequest page) {
        return keys.list(context, database, page);
    }

    @Override
    public ClientEncryptionKey read(RequestContext context, DatabaseAddress database, String id) {
        return keys.read(context, database.ref(), database.child(id));
    }

    @Override
    public ClientEncryptionKey replace(
            SqlRequest request, RequestContext context, DatabaseAddress database, String id) {
        return keys.replace(
                context,
                database.ref(),
                database.child(id),
                ClientEncryptionKeyJson.parse(request.body()),
                request.ifMatch());
    }

    @Override
    public void delete(
            SqlRequest request, RequestContext context, DatabaseAddress database, String id) {
        throw SqlEndpoint.methodNotAllowed(request);
    }
}
