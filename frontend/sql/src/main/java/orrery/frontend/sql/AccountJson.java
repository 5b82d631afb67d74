package orrery.frontend.sql;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.Json;
import orrery.model.ConsistencyLevel;
import orrery.model.ConsistencyPolicy;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** The account as {@code GET /} shows it; clients then talk to the endpoints named in it. */
final class AccountJson {
    /** A string in the account's body; the query planner inside the .NET SDK reads it. */
    private static final String QUERY_ENGINE =
            JsonText.write(
                    Json.builder()
                            .put("allowNewKeywords", true)
                            .put("maxJoinsPerSqlQuery", 10)
                            .put("maxQueryRequestTimeoutFraction", new Value.Real(0.9))
                            .put("maxSqlQueryInputLength", 524288)
                            .put("maxUdfRefPerSqlQuery", 10)
                            .put("queryMaxInMemorySortDocumentCount", -1000)
                            .put("spatialMaxGeometryPointCount", 256)
                            .put("sqlAllowNonFiniteNumbers", false)
                            .put("sqlDisableOptimizationFlags", 0)
                            .put("sqlQueryILDisableOptimizationFlags", 0)
                            .put("clientDisableOptimisticDirectExecution", false)
                            .put("queryEnableFullText", true)
                            .put("queryEnableFullTextPreviewFeatures", false)
                            .put("queryMaxFullTextScoreSearchTerms", 30)
                            .put("queryMaxRrfArgumentCount", 100)
                            .put("enableSpatialIndexing", true)
                            .put("maxInExpressionItemsCount", Integer.MAX_VALUE)
                            .put("maxLogicalAndPerSqlQuery", Integer.MAX_VALUE)
                            .put("maxLogicalOrPerSqlQuery", Integer.MAX_VALUE)
                            .put("maxSpatialQueryCells", Integer.MAX_VALUE)
                            .put("sqlAllowAggregateFunctions", true)
                            .put("sqlAllowGroupByClause", true)
                            .put("sqlAllowLike", true)
                            .put("sqlAllowSubQuery", true)
                            .put("sqlAllowScalarSubQuery", true)
                            .put("sqlAllowTop", true)
                            .build());

    private AccountJson() {}

    static Value.Obj write(SqlConfig config, HttpRequest request) {
        Value locations =
                new Value.Array(
                        List.of(
                                Json.object(
                                        "name",
                                        Value.of(config.region()),
                                        "databaseAccountEndpoint",
                                        Value.of(endpoint(config, request)))));
        Value replicas =
                Json.object("minReplicaSetSize", Value.of(3L), "maxReplicasetSize", Value.of(4L));
        return Json.builder()
                .put("_self", "")
                .put("id", config.accountId())
                .put("_rid", config.accountId() + ".local")
                .put("media", "//media/")
                .put("addresses", "//addresses/")
                .put("_dbs", "//dbs/")
                .put("writableLocations", locations)
                .put("readableLocations", locations)
                .put("enableMultipleWriteLocations", false)
                .put("continuousBackupEnabled", false)
                .put("enableNRegionSynchronousCommit", false)
                .put("enablePerPartitionFailoverBehavior", false)
                .put(
                        "userReplicationPolicy",
                        Json.builder()
                                .put("asyncReplication", false)
                                .put("minReplicaSetSize", 3)
                                .put("maxReplicasetSize", 4)
                                .build())
                .put("userConsistencyPolicy", consistency(config.consistency().get()))
                .put("systemReplicationPolicy", replicas)
                .put(
                        "readPolicy",
                        Json.object(
                                "primaryReadCoefficient",
                                Value.of(1L),
                                "secondaryReadCoefficient",
                                Value.of(1L)))
                .put("queryEngineConfiguration", QUERY_ENGINE)
                .build();
    }

    /**
     * Returns the address that the client used, because the client can reach it; it may come
     * through a forwarder.
     */
    private static String endpoint(SqlConfig config, HttpRequest request) {
        String endpoint =
                config.advertise()
                        .map(URI::toString)
                        .orElseGet(() -> request.scheme() + "://" + authority(request));
        return endpoint.endsWith("/") ? endpoint : endpoint + "/";
    }

    private static String authority(HttpRequest request) {
        if (!request.authority().isEmpty()) {
            return checked(request.authority());
        }
        String host = request.local().getHostString();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + request.local().getPort();
    }

    /** Clients will go to this address next, so it has to be one. */
    private static String checked(String authority) {
        try {
            URI uri = new URI("http://" + authority + "/");
            if (uri.getHost() != null && uri.getPort() <= 0xFFFF) {
                return authority;
            }
        } catch (URISyntaxException e) {
            // Falls through to the refusal.
        }
        throw new OrreryException(
                ErrorCode.BAD_REQUEST,
                "The Host header does not name a host and port, so clients could not be told where"
                        + " to go.");
    }

    private static Value consistency(ConsistencyPolicy policy) {
        Json.Builder json =
                Json.builder().put("defaultConsistencyLevel", policy.level().wireName());
        if (policy.level() == ConsistencyLevel.BOUNDED_STALENESS) {
            json.put("maxStalenessPrefix", policy.maxStalenessPrefix())
                    .put("maxIntervalInSeconds", policy.maxIntervalSeconds());
        }
        return json.build();
    }
}
