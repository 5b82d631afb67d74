package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext.Principal;
import orrery.model.ResourceId;
import orrery.model.RowKey;
import orrery.model.ScriptDefinition;
import orrery.model.resource.Container;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.PermissionMode;
import orrery.model.resource.Script;
import orrery.model.security.TokenScope;

/** The life of resource tokens, and that no others are taken for them. */
final class ResourceTokensTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String C = "dbs/d/colls/c";
    private static final PartitionKey KEY = PartitionKey.ofText("tenant-a");

    @TempDir private Path directory;
    private EngineFixture fixture;
    private final Map<ResourceId, Permission> permissions = new HashMap<>();
    private Instant now = Instant.parse("2026-11-18T10:00:00Z");
    private ResourceTokens tokens;
    private Container container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        if (fixture.catalog.findDatabase("d").isEmpty()) {
            fixture.container("c", 400, "/pk");
        }
        container =
                fixture.engine
                        .resources()
                        .readContainer(EngineFixture.context(), EngineFixture.ref("c"));
        tokens = new ResourceTokens(fixture.catalog, this::find, () -> now);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Optional<Permission> find(ResourceId rid) {
        return Optional.ofNullable(permissions.get(rid));
    }

    private Permission grant(int number, PermissionDefinition definition) {
        Permission permission = new Permission(number, 1, 7, definition, new Etag(1, number), 0);
        permissions.put(permission.rid(), permission);
        return permission;
    }

    private Permission grant(PermissionMode mode, String resource, Optional<PartitionKey> key) {
        int number = permissions.size() + 1;
        return grant(number, new PermissionDefinition("p" + number, mode, resource, key));
    }

    private String token(PermissionMode mode, String resource, Optional<PartitionKey> key) {
        return tokens.issue(grant(mode, resource, key), HOUR);
    }

    private TokenScope scope(String resource, Optional<PartitionKey> key) {
        return tokens.open(token(PermissionMode.READ, resource, key)).scope();
    }

    private OrreryException refusal(String token) {
        OrreryException refused =
                catchThrowableOfType(OrreryException.class, () -> tokens.open(token));
        assertThat(refused).as(token).isNotNull();
        return refused;
    }

    @Test
    void aTokenOpensWhatItsPermissionGrants() {
        assertThat(tokens.open(token(PermissionMode.ALL, C, Optional.empty())))
                .isEqualTo(
                        new Principal.Resource(
                                PermissionMode.ALL,
                                new TokenScope.WholeContainer(container.rid())));
        assertThat(scope(C, Optional.of(KEY))).isEqualTo(new TokenScope.Key(container.rid(), KEY));
        assertThat(scope("/" + container.rid().link(), Optional.of(KEY)))
                .isEqualTo(new TokenScope.Key(container.rid(), KEY));
        assertThat(scope(C + "/docs/i", Optional.of(KEY)))
                .isEqualTo(new TokenScope.NamedItem(container.rid(), KEY, RowKey.ofText("i")));
        ResourceId item = ResourceId.ofItem(container.database(), container.number(), 5);
        assertThat(scope(container.rid().link() + "docs/" + item + "/", Optional.empty()))
                .isEqualTo(new TokenScope.IdentifiedItem(container.rid(), Optional.empty(), item));
    }

    @Test
    void aTokenForAScriptEndsWithIt() {
        Script script = procedure();
        TokenScope expected = new TokenScope.Script(container.rid(), script.rid());
        assertThat(scope(C + "/sprocs/p", Optional.empty())).isEqualTo(expected);
        assertThat(scope(container.rid().link() + "sprocs/" + script.rid(), Optional.empty()))
                .isEqualTo(expected);
        String old = token(PermissionMode.ALL, C + "/sprocs/p", Optional.empty());
        fixture.engine
                .resources()
                .scripts()
                .delete(
                        EngineFixture.context(),
                        EngineFixture.ref("c"),
                        ScriptDefinition.Kind.PROCEDURE,
                        new ResourceRef.Named("p"),
                        Precondition.NONE);
        procedure();
        // It still names the first one, whose rid no other script gets.
        assertThat(tokens.open(old).scope()).isEqualTo(expected);
        assertThat(scope(C + "/sprocs/p", Optional.empty())).isNotEqualTo(expected);
    }

    private Script procedure() {
        return fixture.engine
                .resources()
                .scripts()
                .create(
                        EngineFixture.context(),
                        EngineFixture.ref("c"),
                        new ScriptDefinition(
                                ScriptDefinition.Kind.PROCEDURE, "p", "function p() {}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dbs/d/colls/none",
                "dbs/none/colls/c",
                "dbs/d/colls/c/sprocs/none",
                "dbs/d/colls/c/conflicts/x",
                "dbs/d/colls/c/docs/a\\b"
            })
    void aPermissionForNothingOpensNothing(String resource) {
        assertThat(scope(resource, Optional.empty())).isEqualTo(new TokenScope.Nothing());
    }

    @Test
    void aTokenExpires() {
        String token = token(PermissionMode.READ, C, Optional.empty());
        now = now.plus(HOUR).minusMillis(1);
        assertThat(tokens.open(token).mode()).isEqualTo(PermissionMode.READ);
        now = now.plusMillis(1);
        OrreryException refused = refusal(token);
        assertThat(refused.code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(refused.text())
                .isEqualTo(
                        "The authorization token is not valid at the current time. Please create"
                                + " another token and retry (token expiry time: Wed, 18 Nov 2026"
                                + " 11:00:00 GMT, current server time: Wed, 18 Nov 2026 11:00:00"
                                + " GMT).");
    }

    @Test
    void aTokenEndsWithItsPermission() {
        Permission permission = grant(PermissionMode.READ, C, Optional.of(KEY));
        String token = tokens.issue(permission, HOUR);
        permissions.clear();
        assertThat(refusal(token).code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(refusal(token).text()).contains("has ended");
    }

    @Test
    void aTokenEndsWhenItsPermissionGrantsSomethingElse() {
        Permission permission = grant(PermissionMode.READ, C, Optional.of(KEY));
        String token = tokens.issue(permission, HOUR);
        PermissionDefinition was = permission.definition();
        int number = permission.number();
        grant(number, new PermissionDefinition("p", PermissionMode.ALL, C, was.partitionKey()));
        assertThat(refusal(token).code()).isEqualTo(ErrorCode.FORBIDDEN);
        grant(number, new PermissionDefinition("p", was.mode(), C, Optional.empty()));
        assertThat(refusal(token).code()).isEqualTo(ErrorCode.FORBIDDEN);
        grant(number, new PermissionDefinition("p", was.mode(), C + "/docs/1", was.partitionKey()));
        assertThat(refusal(token).code()).isEqualTo(ErrorCode.FORBIDDEN);
        // Another name grants nothing else, and neither does the same permission written again.
        grant(number, new PermissionDefinition("q", was.mode(), C, was.partitionKey()));
        assertThat(tokens.open(token).scope()).isEqualTo(new TokenScope.Key(container.rid(), KEY));
    }

    @Test
    void aContainerMadeAgainIsNotReached() {
        Permission permission = grant(PermissionMode.ALL, C, Optional.empty());
        String token = tokens.issue(permission, HOUR);
        fixture.engine
                .resources()
                .deleteContainer(
                        EngineFixture.context(), EngineFixture.ref("c"), Precondition.NONE);
        assertThat(refusal(token).code()).isEqualTo(ErrorCode.FORBIDDEN);
        fixture.container("c", 400, "/pk");
        assertThat(refusal(token).code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(tokens.open(tokens.issue(permission, HOUR)).scope())
                .isNotEqualTo(new TokenScope.WholeContainer(container.rid()));
    }

    @Test
    void tokensSurviveARestart() {
        String token = token(PermissionMode.ALL, C, Optional.of(KEY));
        fixture.close();
        open();
        assertThat(tokens.open(token).scope()).isEqualTo(new TokenScope.Key(container.rid(), KEY));
    }

    /** The example in docs/formats/tokens.md. */
    @Test
    void aTokenHasTheDocumentedForm() {
        assertThat(token(PermissionMode.READ, C, Optional.of(KEY)))
                .isEqualTo(
                        "type=resource&ver=1.0&sig=AQEAAAAAAAAHAQAAAAAAAAAIAQAAAIAAAA"
                                + "FS9qtxErHYaZR0ex8cHRg6AAABoe5QQ4A;"
                                + "Hc-EsoY-eRIlBs1S2Vqu6xqbMLzMt934AFKiaCXRldY;");
    }

    @Test
    void aTokenTellsNothing() {
        String token = token(PermissionMode.ALL, C, Optional.of(KEY));
        assertThat(token).matches("type=resource&ver=1\\.0&sig=[\\w-]+;[\\w-]+;");
        String content = token.substring(token.indexOf("sig=") + 4, token.indexOf(';'));
        assertThat(new String(Base64.getUrlDecoder().decode(content), StandardCharsets.ISO_8859_1))
                .doesNotContain("tenant", "dbs", "colls");
    }

    private void assertUnknown(String token) {
        OrreryException refused = refusal(token);
        assertThat(refused.code()).as(token).isEqualTo(ErrorCode.UNAUTHORIZED);
        assertThat(refused.text())
                .isEqualTo(
                        "The input authorization token can't serve the request. It is not a"
                                + " resource token of this account. Send the token of a permission"
                                + " as it was given.");
    }

    @Test
    void noBitOfATokenMayDiffer() {
        String token = token(PermissionMode.READ, C, Optional.of(KEY));
        for (int i = 0; i < token.length(); i++) {
            for (int bit = 0; bit < 16; bit++) {
                char flipped = (char) (token.charAt(i) ^ 1 << bit);
                assertUnknown(token.substring(0, i) + flipped + token.substring(i + 1));
            }
        }
    }

    @Test
    void noBitOfTheContentMayDiffer() {
        String token = token(PermissionMode.READ, C, Optional.of(KEY));
        int from = token.indexOf("sig=") + 4;
        int middle = token.indexOf(';');
        byte[] content = Base64.getUrlDecoder().decode(token.substring(from, middle));
        for (int bit = 0; bit < 8 * content.length; bit++) {
            byte[] flipped = content.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertUnknown(
                    token.substring(0, from)
                            + Base64.getUrlEncoder().withoutPadding().encodeToString(flipped)
                            + token.substring(middle));
        }
    }

    @Test
    void noPartOfATokenIsOneAndNoTwoPartsAre() {
        String one = token(PermissionMode.READ, C, Optional.of(KEY));
        String other = token(PermissionMode.ALL, C, Optional.of(PartitionKey.ofText("b")));
        assertThat(one).hasSameSizeAs(other);
        for (int i = 0; i < one.length(); i++) {
            assertUnknown(one.substring(0, i));
            assertUnknown(one.substring(i + 1));
            assertUnknown(one.substring(0, i) + one.substring(i + 1));
            assertUnknown(one + one.substring(i));
            String spliced = one.substring(0, i) + other.substring(i);
            if (!spliced.equals(one) && !spliced.equals(other)) {
                assertUnknown(spliced);
            }
        }
    }

    @Test
    void aTokenOfAnotherAccountIsNone() {
        ResourceTokens elsewhere =
                new ResourceTokens(
                        fixture.catalog,
                        this::find,
                        new Seals(Bytes.ofUtf8("a sealing key of another account")),
                        () -> now);
        Permission permission = grant(PermissionMode.ALL, C, Optional.empty());
        assertThat(tokens.open(tokens.issue(permission, HOUR)).mode())
                .isEqualTo(PermissionMode.ALL);
        assertUnknown(elsewhere.issue(permission, HOUR));
    }

    /** A seal for a page is none for a token, although both have the key of the account. */
    @Test
    void aContinuationIsNoToken() {
        String continuation =
                new Continuations(fixture.catalog.sealingKey()).sealNumber("databases", 1);
        assertUnknown("type=resource&ver=1.0&sig=" + continuation + ";" + continuation + ";");
        assertUnknown("type=resource&ver=1.0&sig=" + "A".repeat(100_000) + ";A;");
        assertUnknown("");
    }
}
