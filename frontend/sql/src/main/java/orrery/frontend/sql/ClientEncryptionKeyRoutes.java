package orrery.frontend.sql;

import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.DatabaseAddress;
import orrery.gateway.api.ClientEncryptionKeys;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Resources;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.Database;

/**
 * {@code /dbs/{db}/clientencryptionkeys} and what lies in it. As in the service, a key is neither
 * deleted nor upserted: who replaces one by chance loses what it has encrypted.
 */
final class ClientEncryptionKeyRoutes {
    private static final ResourceFeed<ClientEncryptionKey> FEED =
            new ResourceFeed<>("ClientEncryptionKeys", ClientEncryptionKeyJson::write);

    private final Resources resources;
    private final ClientEncryptionKeys keys;

    ClientEncryptionKeyRoutes(Resources resources) {
        this.resources = resources;
        this.keys = resources.clientEncryptionKeys();
    }

    HttpReply feed(SqlRequest request, RequestContext context, DatabaseAddress address) {
        return switch (request.method()) {
            case "GET" -> list(request, context, address);
            case "POST" ->
                    request.isQuery()
                            ? list(request, context, address)
                            : create(request, context, address);
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    HttpReply entity(
            SqlRequest request, RequestContext context, DatabaseAddress address, String id) {
        ResourceRef key = address.child(id);
        return switch (request.method()) {
            case "GET" -> read(request, context, address, key);
            case "PUT" ->
                    reply(
                            request,
                            address,
                            200,
                            keys.replace(
                                    context,
                                    address.ref(),
                                    key,
                                    ClientEncryptionKeyJson.parse(request.body()),
                                    request.ifMatch()));
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    private HttpReply list(SqlRequest request, RequestContext context, DatabaseAddress address) {
        Database database = resources.resolve(context, address.ref());
        return FEED.reply(
                request, database.rid().toString(), page -> keys.list(context, database, page));
    }

    private HttpReply create(SqlRequest request, RequestContext context, DatabaseAddress address) {
        SqlEndpoint.refuseUpsert(request, "Client encryption keys");
        return reply(
                request,
                address,
                201,
                keys.create(context, address.ref(), ClientEncryptionKeyJson.parse(request.body())));
    }

    private HttpReply read(
            SqlRequest request, RequestContext context, DatabaseAddress address, ResourceRef ref) {
        ClientEncryptionKey key = keys.read(context, address.ref(), ref);
        return request.alreadyHas(key.etag().quoted())
                ? SqlReply.notModified(request, key.etag())
                : reply(request, address, 200, key);
    }

    private static HttpReply reply(
            SqlRequest request, DatabaseAddress address, int status, ClientEncryptionKey key) {
        return new SqlReply(request, status)
                .charge(RequestCharge.METADATA)
                .etag(key.etag())
                .owner(ResourceId.ofDatabase(key.database()), address.path())
                .body(ClientEncryptionKeyJson.write(key))
                .build();
    }
}
