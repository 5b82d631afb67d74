package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.ClientEncryptionKeys;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.IssuedPermission;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.Permissions;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.UserRef;
import orrery.gateway.api.Users;
import orrery.model.Bytes;
import orrery.model.ClientEncryptionPolicy;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.ClientEncryptionKeyDefinition;
import orrery.model.resource.ClientEncryptionKeyDefinition.WrapMetadata;
import orrery.model.resource.Database;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.PermissionMode;
import orrery.model.resource.User;

/** Users, permissions and client encryption keys as resources behind the door. */
final class AccessResourceTest {
    private static final ResourceRef DATABASE = new ResourceRef.Named("d");
    private static final UserRef USER = new UserRef(DATABASE, new ResourceRef.Named("u"));
    private static final ResourceRef PERMISSION = new ResourceRef.Named("p");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final RequestContext CONTEXT = EngineFixture.context();

    @TempDir private Path directory;
    private EngineFixture fixture;
    private Users users;
    private Permissions permissions;
    private ClientEncryptionKeys keys;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        fixture.container("c", 400, "/pk");
        users = fixture.engine.resources().users();
        permissions = fixture.engine.resources().permissions();
        keys = fixture.engine.resources().clientEncryptionKeys();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void allAreFoundByNameAndByRid() {
        User user = users.create(CONTEXT, DATABASE, "u");
        UserRef userByRid = new UserRef(DATABASE, new ResourceRef.Identified(user.rid()));
        IssuedPermission issued = permissions.create(CONTEXT, USER, permission("p"), HOUR);
        ResourceRef byRid = new ResourceRef.Identified(issued.permission().rid());
        ClientEncryptionKey key = keys.create(CONTEXT, DATABASE, key("k", 1));

        assertThat(users.read(CONTEXT, USER)).isEqualTo(user);
        assertThat(users.read(CONTEXT, userByRid)).isEqualTo(user);
        assertThat(permissions.read(CONTEXT, USER, PERMISSION, HOUR).permission())
                .isEqualTo(issued.permission());
        assertThat(permissions.read(CONTEXT, userByRid, byRid, HOUR).permission())
                .isEqualTo(issued.permission());
        assertThat(keys.read(CONTEXT, DATABASE, new ResourceRef.Identified(key.rid())))
                .isEqualTo(key);
        assertThat(issued.token()).startsWith("type=resource&ver=1.0&sig=");
        assertThat(issued.toString()).doesNotContain(issued.token());
        users.create(CONTEXT, DATABASE, "v");
        UserRef other = new UserRef(DATABASE, new ResourceRef.Named("v"));
        assertThat(code(() -> permissions.read(CONTEXT, other, byRid, HOUR)))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(
                        code(
                                () ->
                                        users.read(
                                                CONTEXT,
                                                new UserRef(
                                                        DATABASE,
                                                        new ResourceRef.Identified(key.rid())))))
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aMissingOwnerIsToldFromWhatItWouldOwn() {
        assertThat(code(() -> users.read(CONTEXT, USER))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(code(() -> permissions.read(CONTEXT, USER, PERMISSION, HOUR)))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        assertThat(code(() -> permissions.create(CONTEXT, USER, permission("p"), HOUR)))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        ResourceRef nowhere = new ResourceRef.Named("nowhere");
        assertThat(code(() -> users.create(CONTEXT, nowhere, "u")))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        assertThat(code(() -> keys.create(CONTEXT, nowhere, key("k", 1))))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
    }

    @Test
    void listsComeInPages() {
        for (String name : List.of("a", "b", "c")) {
            users.create(CONTEXT, DATABASE, name);
        }
        Database database = fixture.engine.resources().readDatabase(CONTEXT, DATABASE);

        Page<User> first =
                users.list(CONTEXT, database, new PageRequest(OptionalInt.of(2), Optional.empty()));
        Page<User> second =
                users.list(
                        CONTEXT,
                        database,
                        new PageRequest(OptionalInt.of(2), first.continuation()));

        assertThat(first.resources()).extracting(User::name).containsExactly("a", "b");
        assertThat(second.resources()).extracting(User::name).containsExactly("c");
        assertThat(second.continuation()).isEmpty();
        assertThat(
                        code(
                                () ->
                                        keys.list(
                                                CONTEXT,
                                                database,
                                                new PageRequest(
                                                        OptionalInt.of(2), first.continuation()))))
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void tokensAreValidForTenSecondsToADay() {
        users.create(CONTEXT, DATABASE, "u");
        permissions.create(CONTEXT, USER, permission("p"), Duration.ofSeconds(10));
        permissions.read(CONTEXT, USER, PERMISSION, Duration.ofHours(24));

        for (Duration wrong : List.of(Duration.ofSeconds(9), Duration.ofSeconds(86_401))) {
            assertThat(code(() -> permissions.read(CONTEXT, USER, PERMISSION, wrong)))
                    .isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    @Test
    void aReadOnlyKeyReadsUsersButGetsNoTokens() {
        User user = users.create(CONTEXT, DATABASE, "u");
        permissions.create(CONTEXT, USER, permission("p"), HOUR);
        RequestContext reader = EngineFixture.readOnly();

        assertThat(users.read(reader, USER)).isEqualTo(user);
        assertThat(code(() -> permissions.read(reader, USER, PERMISSION, HOUR)))
                .isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(code(() -> permissions.list(reader, user, HOUR, PageRequest.FIRST)))
                .isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(code(() -> permissions.delete(reader, USER, PERMISSION, Precondition.NONE)))
                .isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(code(() -> users.delete(reader, USER, Precondition.NONE)))
                .isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(code(() -> keys.create(reader, DATABASE, key("k", 1))))
                .isEqualTo(ErrorCode.FORBIDDEN);
    }

    @Test
    void permissionsHaveBounds() {
        users.create(CONTEXT, DATABASE, "u");
        int room = 4096 - "dbs/d/colls/".length();
        permissions.create(
                CONTEXT, USER, permission("p", "c".repeat(room), "k".repeat(2048)), HOUR);

        assertThat(
                        code(
                                () ->
                                        permissions.create(
                                                CONTEXT,
                                                USER,
                                                permission("q", "c".repeat(room + 1), "k"),
                                                HOUR)))
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(
                        code(
                                () ->
                                        permissions.create(
                                                CONTEXT,
                                                USER,
                                                permission("q", "c", "k".repeat(2049)),
                                                HOUR)))
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void keysHaveBounds() {
        int fixed = key("k", 0).sizeBytes();
        int most = ClientEncryptionKeyDefinition.MAX_BYTES - fixed;

        assertThat(code(() -> keys.create(CONTEXT, DATABASE, key("k", 0))))
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(code(() -> keys.create(CONTEXT, DATABASE, key("k", most + 1))))
                .isEqualTo(ErrorCode.TOO_LARGE);
        ClientEncryptionKey key = keys.create(CONTEXT, DATABASE, key("k", most));
        ClientEncryptionKeyDefinition otherAlgorithm =
                new ClientEncryptionKeyDefinition(
                        "l", "AES", Bytes.ofHex("01"), key.definition().metadata());
        assertThat(code(() -> keys.create(CONTEXT, DATABASE, otherAlgorithm)))
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void theKeysOfAPolicyMustExist() {
        ContainerDefinition definition = encrypted("k");

        OrreryException missing = catchThrowable(() -> create("e", definition));

        assertThat(missing.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(missing.text()).isEqualTo("ClientEncryptionKey with id '[k]' does not exist.");
        keys.create(CONTEXT, DATABASE, key("k", 1));
        create("e", definition);
        ContainerRef container = ContainerRef.Addressed.byName("d", "e");
        assertThat(
                        fixture.engine
                                .resources()
                                .readContainer(CONTEXT, container)
                                .definition()
                                .encryption())
                .isEqualTo(definition.encryption());
        OrreryException changed =
                catchThrowable(
                        () ->
                                fixture.engine
                                        .resources()
                                        .replaceContainer(
                                                CONTEXT,
                                                container,
                                                definition.withEncryption(Optional.empty()),
                                                Precondition.NONE));
        assertThat(changed.text())
                .isEqualTo(
                        "'clientEncryptionPolicy' cannot be changed as part of collection replace"
                                + " operation.");
    }

    private void create(String name, ContainerDefinition definition) {
        fixture.engine
                .resources()
                .createContainer(CONTEXT, DATABASE, name, definition, Optional.empty());
    }

    private static ContainerDefinition encrypted(String key) {
        return EngineFixture.definition("/pk")
                .withEncryption(
                        Optional.of(
                                new ClientEncryptionPolicy(
                                        List.of(
                                                new ClientEncryptionPolicy.IncludedPath(
                                                        "/ssn",
                                                        key,
                                                        "Randomized",
                                                        EncryptionRules.ALGORITHM)),
                                        1)));
    }

    private static PermissionDefinition permission(String name) {
        return permission(name, "c", "tenant");
    }

    private static PermissionDefinition permission(String name, String container, String key) {
        return new PermissionDefinition(
                name,
                PermissionMode.READ,
                "dbs/d/colls/" + container,
                Optional.of(PartitionKey.ofText(key)));
    }

    private static ClientEncryptionKeyDefinition key(String name, int bytes) {
        return new ClientEncryptionKeyDefinition(
                name,
                EncryptionRules.ALGORITHM,
                Bytes.wrap(new byte[bytes]),
                new WrapMetadata("custom", "key1", "place", Optional.empty()));
    }

    private static ErrorCode code(ThrowingCallable call) {
        return catchThrowable(call).code();
    }

    private static OrreryException catchThrowable(ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call);
    }
}
