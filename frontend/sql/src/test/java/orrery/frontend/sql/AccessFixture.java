package orrery.frontend.sql;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import orrery.frontend.http.Headers;
import orrery.frontend.rest.KeyAuthenticator;
import orrery.frontend.rest.KeyPolicy;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.EngineFixture;
import orrery.gateway.ResourceTokens;
import orrery.model.Etag;
import orrery.model.PartitionKey;
import orrery.model.ResourceId;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.PermissionMode;

/** The SQL API over a whole engine, with permissions of the test's own making. */
final class AccessFixture implements AutoCloseable {
    static final Duration HOUR = Duration.ofHours(1);

    final EngineFixture engine;
    final TestClient master;
    final SqlEndpoint endpoint;
    private final ResourceTokens tokens;
    private final Map<ResourceId, Permission> permissions = new ConcurrentHashMap<>();
    private int nextPermission = 1;

    AccessFixture(Path directory) {
        engine = new EngineFixture(directory);
        tokens =
                new ResourceTokens(
                        engine.catalog,
                        rid -> Optional.ofNullable(permissions.get(rid)),
                        () -> TestClient.NOW);
        endpoint =
                new SqlEndpoint(
                        engine.engine.items(),
                        engine.engine.resources(),
                        new KeyAuthenticator(
                                () -> TestClient.KEYS,
                                KeyPolicy.loopbackOnly(),
                                () -> TestClient.NOW,
                                tokens::open),
                        SqlConfig.standard());
        master = new TestClient(endpoint);
    }

    synchronized Permission grant(
            PermissionMode mode, String resource, Optional<PartitionKey> key) {
        int number = nextPermission++;
        Permission permission =
                new Permission(
                        number,
                        1,
                        1,
                        new PermissionDefinition("p" + number, mode, resource, key),
                        new Etag(0, number),
                        0);
        permissions.put(permission.rid(), permission);
        return permission;
    }

    void delete(Permission permission) {
        permissions.remove(permission.rid());
    }

    String issue(Permission permission, Duration validity) {
        return tokens.issue(permission, validity);
    }

    String token(PermissionMode mode, String resource, Optional<PartitionKey> key) {
        return issue(grant(mode, resource, key), HOUR);
    }

    /** Sends a request with an authorization of its own, or with none. */
    Reply call(
            Optional<String> authorization,
            String method,
            String path,
            String body,
            Map<String, String> headers) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("Host", "db.example:8081");
        all.put("x-ms-version", "2020-07-15");
        authorization.ifPresent(
                token ->
                        all.put("authorization", URLEncoder.encode(token, StandardCharsets.UTF_8)));
        all.putAll(headers);
        Headers.Builder built = Headers.builder();
        all.forEach(built::add);
        return master.send(TestClient.request(method, path, built.build(), body));
    }

    @Override
    public void close() {
        engine.close();
    }
}
