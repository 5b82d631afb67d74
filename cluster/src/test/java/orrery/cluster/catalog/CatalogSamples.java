package orrery.cluster.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import orrery.cluster.api.AccountSettings;
import orrery.model.Bytes;
import orrery.model.ConsistencyLevel;
import orrery.model.ConsistencyPolicy;
import orrery.model.ContainerDefinition;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.IndexingPolicy;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestId;
import orrery.model.ScriptDefinition;
import orrery.model.ScriptDefinition.Trigger;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.TriggerOperation;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.ClientEncryptionKeyDefinition;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.PermissionMode;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.resource.TableServiceProperties;
import orrery.model.resource.User;
import orrery.model.resource.Written;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.partition.api.SplitAim;

/** One command, outcome and record of each kind, by names that tell what is special. */
final class CatalogSamples {
    static final RequestId ID = new RequestId(0x1111, 0x2222);
    static final long STAMP = 1_700_000_000_000L;

    static final String A = "AAAAAAAAAAAAAAAAAAAAAA==";
    static final String B = "BAAAAAAAAAAAAAAAAAAAAA==";
    static final String C = "CAAAAAAAAAAAAAAAAAAAAA==";
    static final String D = "DAAAAAAAAAAAAAAAAAAAAA==";

    static final ContainerDefinition DEFINITION =
            new ContainerDefinition(
                    new PartitionKeyDefinition(
                            List.of(PropertyPath.parse("/pk")),
                            PartitionKeyDefinition.Kind.HASH,
                            2,
                            false),
                    IndexingPolicy.DEFAULT,
                    ContainerDefinition.ConflictResolution.DEFAULT,
                    ContainerDefinition.Geospatial.GEOGRAPHY);

    private static final ThroughputBuckets BUCKETS =
            new ThroughputBuckets(
                    List.of(
                            new ThroughputBuckets.Bucket(1, 20, false),
                            new ThroughputBuckets.Bucket(5, 100, true)));

    private static final ScriptDefinition TRIGGER =
            new ScriptDefinition(
                    ScriptDefinition.Kind.TRIGGER,
                    "t",
                    "() => {}",
                    Optional.of(new Trigger(ScriptDefinition.When.PRE, TriggerOperation.CREATE)));

    static final PermissionDefinition PERMISSION =
            new PermissionDefinition(
                    "p",
                    PermissionMode.READ,
                    "dbs/d/colls/c",
                    Optional.of(PartitionKey.ofText("tenant")));

    static final ClientEncryptionKeyDefinition CLIENT_ENCRYPTION_KEY =
            new ClientEncryptionKeyDefinition(
                    "k",
                    "AEAD_AES_256_CBC_HMAC_SHA256",
                    Bytes.ofHex("010203"),
                    new ClientEncryptionKeyDefinition.WrapMetadata(
                            "custom", "key1", "place", Optional.of("RSA-OAEP")));

    static final List<StoredAccessPolicy> POLICIES =
            List.of(
                    new StoredAccessPolicy(
                            "reader",
                            Optional.of("2026-01-01T00:00:00Z"),
                            Optional.of("2026-12-31"),
                            Optional.of("r")),
                    new StoredAccessPolicy(
                            "open", Optional.empty(), Optional.empty(), Optional.empty()));

    static final TableServiceProperties TABLE_SERVICE =
            new TableServiceProperties(
                    new TableServiceProperties.Logging(
                            "1.0",
                            true,
                            false,
                            true,
                            new TableServiceProperties.Retention(true, Optional.of(7))),
                    new TableServiceProperties.Metrics(
                            "1.0", true, Optional.of(true), TableServiceProperties.Retention.NONE),
                    TableServiceProperties.DEFAULT.minute(),
                    List.of(
                            new TableServiceProperties.CorsRule(
                                    "http://app.example", "GET,PUT", "x-ms-*", "*", 60)));

    private CatalogSamples() {}

    static Map<String, CatalogCommand> commands() {
        Map<String, CatalogCommand> all = new LinkedHashMap<>();
        all.put(
                "create-database",
                new ResourceCommand.CreateDatabase(
                        "d", Optional.of(new Throughput.Autoscale(4000))));
        all.put(
                "delete-database",
                new ResourceCommand.DeleteDatabase(1, new Precondition.Matches(new Etag(1, 2))));
        all.put(
                "create-container",
                new ResourceCommand.CreateContainer(
                        1,
                        "c",
                        DEFINITION,
                        Optional.of(new Throughput.Manual(400)),
                        List.of(new ResourceCommand.PlacedRange(KeyRange.FULL, 3))));
        all.put("container-ready", new ResourceCommand.ContainerReady(1, 2));
        all.put(
                "replace-container",
                new ResourceCommand.ReplaceContainer(1, DEFINITION, new Precondition.Exists()));
        all.put("delete-container", new ResourceCommand.DeleteContainer(1, Precondition.NONE));
        all.put(
                "take-name",
                new ResourceCommand.TakeName(2, "c", new Precondition.Matches(new Etag(1, 2))));
        all.put("forget-container", new ResourceCommand.ForgetContainer(1));
        all.put(
                "replace-offer",
                new ResourceCommand.ReplaceOffer(
                        1, new Throughput.Manual(500), Optional.empty(), Precondition.NONE));
        all.put(
                "replace-offer-buckets",
                new ResourceCommand.ReplaceOffer(
                        1, new Throughput.Manual(500), Optional.of(BUCKETS), Precondition.NONE));
        all.put("begin-split", new RangeCommand.BeginSplit(1, 0, SplitAim.STORAGE));
        all.put("begin-merge", new RangeCommand.BeginMerge(1, 2));
        all.put(
                "publish-reshape",
                new RangeCommand.PublishReshape(
                        1,
                        new Reshape.Split(0, 1, 2, 5, 6, SplitAim.THROUGHPUT),
                        Optional.of(EffectiveKey.ofHex("1FFF")),
                        7));
        all.put("cancel-reshape", new RangeCommand.CancelReshape(1, new Reshape.Merge(1, 2, 3, 7)));
        all.put("redistribute", new RangeCommand.Redistribute(1, 5, List.of(0.75, 0.25)));
        all.put("create-script", new ScriptCommand.CreateScript(3, TRIGGER));
        all.put(
                "create-script-spelled",
                new ScriptCommand.CreateScript(
                        3,
                        new ScriptDefinition(
                                ScriptDefinition.Kind.TRIGGER,
                                "t",
                                "() => {}",
                                Optional.of(new Trigger("post", "delete")))));
        all.put(
                "replace-script",
                new ScriptCommand.ReplaceScript(
                        4,
                        new ScriptDefinition(ScriptDefinition.Kind.PROCEDURE, "p", "() => {}"),
                        new Precondition.Exists()));
        all.put("delete-script", new ScriptCommand.DeleteScript(4, Precondition.NONE));
        all.put(
                "set-up-account",
                new AccountCommand.SetUpAccount(
                        AccountIdentity.first(new UUID(1, 2)),
                        Bytes.ofHex("010203"),
                        AccountSettings.DEFAULT,
                        Optional.of(new AccountKeys(A, B, C, D))));
        all.put(
                "change-settings",
                new AccountCommand.ChangeSettings(
                        AccountSettings.DEFAULT,
                        AccountSettings.DEFAULT
                                .withConsistency(
                                        new ConsistencyPolicy(
                                                ConsistencyLevel.BOUNDED_STALENESS, 1000, 60))
                                .withTableDefaultThroughput(700)
                                .withMongoChangeRetention(120)));
        all.put("keep-versions", new ResourceCommand.KeepVersions(1, 60));
        all.put(
                "replace-keys",
                new AccountCommand.ReplaceKeys(
                        Map.of(KeyKind.SECONDARY_READONLY, D, KeyKind.PRIMARY, A)));
        all.put("register-node", new RegisterNode(node()));
        accessCommands(all);
        all.put("set-table-policies", new TableCommand.SetTablePolicies(3, POLICIES));
        all.put("set-table-service", new TableCommand.SetTableService(TABLE_SERVICE));
        return all;
    }

    private static void accessCommands(Map<String, CatalogCommand> all) {
        Precondition matches = new Precondition.Matches(new Etag(1, 2));
        all.put("create-user", new AccessCommand.CreateUser(1, "u", true, matches));
        all.put("replace-user", new AccessCommand.ReplaceUser(5, "v", new Precondition.Exists()));
        all.put("delete-user", new AccessCommand.DeleteUser(5, Precondition.NONE));
        all.put(
                "create-permission",
                new AccessCommand.CreatePermission(5, PERMISSION, false, Precondition.NONE));
        all.put(
                "replace-permission",
                new AccessCommand.ReplacePermission(
                        6,
                        new PermissionDefinition(
                                "p", PermissionMode.ALL, "dbs/d/colls/c/docs/1", Optional.empty()),
                        matches));
        all.put("delete-permission", new AccessCommand.DeletePermission(6, Precondition.NONE));
        all.put(
                "create-client-encryption-key",
                new AccessCommand.CreateClientEncryptionKey(1, CLIENT_ENCRYPTION_KEY));
        all.put(
                "replace-client-encryption-key",
                new AccessCommand.ReplaceClientEncryptionKey(7, CLIENT_ENCRYPTION_KEY, matches));
    }

    static CatalogRequest request(CatalogCommand command) {
        return new CatalogRequest(ID, STAMP, command);
    }

    static Map<String, CatalogOutcome> outcomes() {
        Map<String, CatalogOutcome> all = new LinkedHashMap<>();
        all.put("done", new CatalogOutcome.Done());
        all.put(
                "database",
                new CatalogOutcome.OfDatabase(new Database(1, "d", new Etag(1, 2), STAMP)));
        all.put("container", new CatalogOutcome.OfContainer(container()));
        all.put(
                "offer",
                new CatalogOutcome.OfOffer(
                        new Offer(
                                4, 1, 3, new Throughput.Manual(400), 400, new Etag(1, 2), STAMP)));
        all.put(
                "offer-buckets",
                new CatalogOutcome.OfOffer(
                        new Offer(
                                4,
                                1,
                                3,
                                new Throughput.Manual(400),
                                400,
                                new Etag(1, 2),
                                STAMP,
                                BUCKETS)));
        all.put("script", new CatalogOutcome.OfScript(9, new Etag(1, 2), STAMP));
        all.put("rejected", new CatalogOutcome.Rejected(ErrorCode.CONFLICT, "no"));
        all.put(
                "user",
                new CatalogOutcome.OfUser(
                        new Written<>(new User(5, 1, "u", new Etag(1, 2), STAMP), true)));
        all.put(
                "permission",
                new CatalogOutcome.OfPermission(
                        new Written<>(
                                new Permission(6, 1, 5, PERMISSION, new Etag(1, 2), STAMP),
                                false)));
        all.put(
                "client-encryption-key",
                new CatalogOutcome.OfClientEncryptionKey(
                        new ClientEncryptionKey(
                                7, 1, CLIENT_ENCRYPTION_KEY, new Etag(1, 2), STAMP)));
        return all;
    }

    static Container container() {
        return new Container(
                3, 1, "c", DEFINITION, false, 2, 5, Container.State.ONLINE, new Etag(1, 2), STAMP);
    }

    private static NodeRecord node() {
        return new NodeRecord(2, "n2:8090", 1, 1, 3, NodeRecord.State.UP);
    }

    /** The kinds of records that only the catalog has. */
    static Map<String, Change> records() {
        Map<String, Change> all = new LinkedHashMap<>();
        all.put(
                "request",
                new Change.OfRequest(
                        17,
                        new RequestRecord(
                                ID,
                                17,
                                STAMP,
                                new CatalogOutcome.Rejected(ErrorCode.CONFLICT, "no"))));
        all.put(
                "history",
                new Change.OfHistory(
                        3, DefinitionHistory.NONE.plus(container(), CatalogLevel.FIRST)));
        all.put("node", new Change.OfNode(node()));
        all.put(
                "replica-set",
                new Change.OfSet(
                        new SetRecord(
                                4,
                                6,
                                List.of(
                                        new SetRecord.Member(0, SetRecord.Role.VOTER),
                                        new SetRecord.Member(2, SetRecord.Role.VOTER)))));
        all.put("user", new Change.OfUser(5, new User(5, 1, "u", new Etag(1, 2), STAMP)));
        all.put(
                "permission",
                new Change.OfPermission(
                        6, new Permission(6, 1, 5, PERMISSION, new Etag(1, 2), STAMP)));
        all.put(
                "client-encryption-key",
                new Change.OfClientEncryptionKey(
                        7,
                        new ClientEncryptionKey(
                                7, 1, CLIENT_ENCRYPTION_KEY, new Etag(1, 2), STAMP)));
        all.put("table-policies", new Change.OfTablePolicies(3, new TablePolicies(POLICIES)));
        all.put("table-service", new Change.OfTableService(TABLE_SERVICE));
        return all;
    }
}
