package orrery.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static orrery.cluster.CatalogFixture.context;

import java.nio.file.Path;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccessCatalog;
import orrery.cluster.api.AccountSettings;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.ResourceId;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.ClientEncryptionKeyDefinition;
import orrery.model.resource.ClientEncryptionKeyDefinition.WrapMetadata;
import orrery.model.resource.Database;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.PermissionMode;
import orrery.model.resource.User;
import orrery.model.resource.Written;

@Timeout(900)
final class AccessCatalogTest {
    private static final Precondition NONE = Precondition.NONE;

    @TempDir Path directory;
    private CatalogFixture fixture;
    private ControlPlane catalog;
    private AccessCatalog access;
    private Database database;

    @BeforeEach
    void open() {
        fixture = new CatalogFixture(directory);
        catalog = fixture.catalog(fixture.host());
        access = catalog.access();
        database = catalog.createDatabase(context(), "d", Optional.empty());
    }

    @AfterEach
    void close() {
        catalog.close();
        fixture.close();
    }

    private void restart() {
        catalog.close();
        catalog = fixture.catalog(fixture.host());
        access = catalog.access();
    }

    @Test
    void allOfItSurvivesARestart() {
        User user = access.createUser(context(), database, "u");
        User gone = access.createUser(context(), database, "gone");
        Permission permission =
                access.createPermission(context(), user, tenant("p", "a", PermissionMode.READ));
        ClientEncryptionKey key = access.createKey(context(), database, key("k", "01"));
        access.deleteUser(context(), gone, NONE);

        restart();

        assertThat(access.findUser(database.number(), "u")).hasValue(user);
        assertThat(access.findUser(database.number(), user.number())).hasValue(user);
        assertThat(access.findUser(database.number() + 1, user.number())).isEmpty();
        assertThat(access.findUser(database.number(), "gone")).isEmpty();
        assertThat(access.findPermission(user, "p")).hasValue(permission);
        assertThat(access.findPermission(permission.rid())).hasValue(permission);
        assertThat(access.findKey(database.number(), "k")).hasValue(key);
        assertThat(access.findKey(database.number(), key.number())).hasValue(key);
        assertThat(access.createUser(context(), database, "next").number())
                .isGreaterThan(key.number());
    }

    @Test
    void namesAreTakenOnceAndMayChange() {
        User user = access.createUser(context(), database, "u");
        User other = access.createUser(context(), database, "v");

        assertThat(code(() -> access.createUser(context(), database, "u")))
                .isEqualTo(ErrorCode.CONFLICT);
        assertThat(code(() -> access.replaceUser(context(), other, "u", NONE)))
                .isEqualTo(ErrorCode.CONFLICT);
        User renamed = access.replaceUser(context(), user, "w", NONE);
        assertThat(renamed.rid()).isEqualTo(user.rid());
        assertThat(renamed.etag()).isNotEqualTo(user.etag());
        assertThat(access.findUser(database.number(), "u")).isEmpty();
        assertThat(access.findUser(database.number(), "w")).hasValue(renamed);
        assertThat(access.replaceUser(context(), other, "u", NONE).name()).isEqualTo("u");
        assertThat(access.users(database.number(), 0, 10))
                .extracting(User::name)
                .containsExactly("w", "u");
    }

    @Test
    void upsertsCreateOrReplace() {
        Written<User> first = access.upsertUser(context(), database, "u", NONE);
        Written<User> second =
                access.upsertUser(
                        context(),
                        database,
                        "u",
                        new Precondition.Matches(first.resource().etag()));

        assertThat(first.isNew()).isTrue();
        assertThat(second.isNew()).isFalse();
        assertThat(second.resource().number()).isEqualTo(first.resource().number());
        assertThat(
                        code(
                                () ->
                                        access.upsertUser(
                                                context(),
                                                database,
                                                "u",
                                                new Precondition.Matches(first.resource().etag()))))
                .isEqualTo(ErrorCode.PRECONDITION_FAILED);
        User user = second.resource();
        Written<Permission> read =
                access.upsertPermission(
                        context(), user, tenant("p", "a", PermissionMode.READ), NONE);
        Written<Permission> all =
                access.upsertPermission(
                        context(), user, tenant("p", "a", PermissionMode.ALL), NONE);
        assertThat(read.isNew()).isTrue();
        assertThat(all.isNew()).isFalse();
        assertThat(all.resource().rid()).isEqualTo(read.resource().rid());
    }

    @Test
    void aUserHasOnePermissionForAResourceAndKey() {
        User user = access.createUser(context(), database, "u");
        User other = access.createUser(context(), database, "v");
        Permission first =
                access.createPermission(context(), user, tenant("p", "a", PermissionMode.READ));

        assertThat(
                        code(
                                () ->
                                        access.createPermission(
                                                context(),
                                                user,
                                                tenant("q", "a", PermissionMode.ALL))))
                .isEqualTo(ErrorCode.CONFLICT);
        // Slashes around a link do not make it another one.
        assertThat(
                        code(
                                () ->
                                        access.createPermission(
                                                context(),
                                                user,
                                                new PermissionDefinition(
                                                        "q",
                                                        PermissionMode.READ,
                                                        "/dbs/d/colls/c/",
                                                        Optional.of(PartitionKey.ofText("a"))))))
                .isEqualTo(ErrorCode.CONFLICT);
        access.createPermission(context(), other, tenant("p", "a", PermissionMode.READ));
        Permission second =
                access.createPermission(context(), user, tenant("q", "b", PermissionMode.READ));
        assertThat(
                        code(
                                () ->
                                        access.replacePermission(
                                                context(),
                                                second,
                                                tenant("q", "a", PermissionMode.READ),
                                                NONE)))
                .isEqualTo(ErrorCode.CONFLICT);
        assertThat(
                        code(
                                () ->
                                        access.replacePermission(
                                                context(),
                                                second,
                                                tenant("p", "b", PermissionMode.READ),
                                                NONE)))
                .isEqualTo(ErrorCode.CONFLICT);
        access.deletePermission(context(), first, NONE);
        assertThat(
                        access.replacePermission(
                                        context(),
                                        second,
                                        tenant("p", "a", PermissionMode.READ),
                                        NONE)
                                .rid())
                .isEqualTo(second.rid());
        assertThat(access.findPermission(user, "q")).isEmpty();
    }

    @Test
    void permissionsEndWithTheirUser() {
        User user = access.createUser(context(), database, "u");
        Permission permission =
                access.createPermission(context(), user, tenant("p", "a", PermissionMode.READ));

        access.deleteUser(context(), user, new Precondition.Matches(user.etag()));

        assertThat(access.findPermission(permission.rid())).isEmpty();
        assertThat(code(() -> access.deletePermission(context(), permission, NONE)))
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(
                        code(
                                () ->
                                        access.createPermission(
                                                context(),
                                                user,
                                                tenant("p", "a", PermissionMode.READ))))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
        User again = access.createUser(context(), database, "u");
        assertThat(again.rid()).isNotEqualTo(user.rid());
        assertThat(access.permissions(again, 0, 10)).isEmpty();
    }

    @Test
    void allOfItEndsWithItsDatabase() {
        User user = access.createUser(context(), database, "u");
        Permission permission =
                access.createPermission(context(), user, tenant("p", "a", PermissionMode.READ));
        access.createKey(context(), database, key("k", "01"));

        catalog.deleteDatabase(context(), database, NONE);

        restart();
        assertThat(access.findPermission(permission.rid())).isEmpty();
        assertThat(access.users(database.number(), 0, 10)).isEmpty();
        assertThat(access.keys(database.number(), 0, 10)).isEmpty();
        assertThat(code(() -> access.createUser(context(), database, "u")))
                .isEqualTo(ErrorCode.OWNER_NOT_FOUND);
    }

    @Test
    void anotherRidFindsNoPermission() {
        User user = access.createUser(context(), database, "u");
        Permission permission =
                access.createPermission(context(), user, tenant("p", "a", PermissionMode.READ));

        assertThat(
                        access.findPermission(
                                ResourceId.ofPermission(
                                        database.number(), user.number() + 1, permission.number())))
                .isEmpty();
        assertThat(access.findPermission(user.rid())).isEmpty();
    }

    @Test
    void keysAreWrappedAnewAndStayWhatTheyAre() {
        ClientEncryptionKey key = access.createKey(context(), database, key("k", "01"));
        Precondition ofFirst = new Precondition.Matches(key.etag());

        ClientEncryptionKey rewrapped = access.replaceKey(context(), key, key("k", "02"), ofFirst);

        assertThat(rewrapped.rid()).isEqualTo(key.rid());
        assertThat(rewrapped.definition().wrappedKey()).isEqualTo(Bytes.ofHex("02"));
        assertThat(code(() -> access.replaceKey(context(), key, key("k", "03"), ofFirst)))
                .isEqualTo(ErrorCode.PRECONDITION_FAILED);
        assertThat(code(() -> access.replaceKey(context(), key, key("l", "03"), NONE)))
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(code(() -> access.createKey(context(), database, key("k", "04"))))
                .isEqualTo(ErrorCode.CONFLICT);
    }

    @Test
    void aDatabaseHasTwentyKeysWhereQuotasHold() {
        catalog.changeSettings(settings -> settings.withServiceQuotas(true));
        for (int i = 0; i < 20; i++) {
            access.createKey(context(), database, key("k" + i, "01"));
        }
        assertThat(code(() -> access.createKey(context(), database, key("one more", "01"))))
                .isEqualTo(ErrorCode.FORBIDDEN);
        catalog.changeSettings(_ -> AccountSettings.DEFAULT);
        access.createKey(context(), database, key("one more", "01"));
    }

    private static PermissionDefinition tenant(String name, String key, PermissionMode mode) {
        return new PermissionDefinition(
                name, mode, "dbs/d/colls/c", Optional.of(PartitionKey.ofText(key)));
    }

    private static ClientEncryptionKeyDefinition key(String name, String hex) {
        return new ClientEncryptionKeyDefinition(
                name,
                "AEAD_AES_256_CBC_HMAC_SHA256",
                Bytes.ofHex(hex),
                new WrapMetadata("custom", "key1", "place", Optional.of("RSA-OAEP")));
    }

    private static ErrorCode code(ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call).code();
    }
}
