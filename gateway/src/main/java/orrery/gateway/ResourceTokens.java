package orrery.gateway;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import orrery.cluster.api.Catalog;
import orrery.document.SqlId;
import orrery.gateway.api.Tokens;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext.Principal;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.ResourceLink;
import orrery.model.resource.ResourceLink.Child;
import orrery.model.resource.ResourceLink.ChildKind;
import orrery.model.resource.Script;
import orrery.model.security.TokenScope;

/**
 * Makes resource tokens and takes them back. A token names its permission and what that was about
 * when the token was made; the rights themselves are looked up at each use. So a token ends with
 * its permission, and is good for nothing else than it was made for. docs/formats/tokens.md has its
 * bytes. Safe for many threads.
 */
public final class ResourceTokens implements TokenIssuer, Tokens {
    private static final String HEAD = "type=resource&ver=1.0&sig=";
    private static final char END = ';';

    /** No token of ours is longer; others are not looked at. */
    private static final int MAX_CHARS = 256;

    private static final int VERSION = 1;
    private static final String TOKEN = "resource token";
    private static final String GRANT = "grant of a resource token";
    private static final int GRANT_BYTES = 16;
    private static final int RID_BYTES = 16;

    private final Catalog catalog;
    private final Function<ResourceId, Optional<Permission>> permissions;
    private final Seals seals;
    private final InstantSource clock;

    /**
     * @param permissions finds a permission that exists, by its rid; asked at each use of a token
     * @param clock by which tokens expire
     */
    public ResourceTokens(
            Catalog catalog,
            Function<ResourceId, Optional<Permission>> permissions,
            InstantSource clock) {
        this(catalog, permissions, new Seals(catalog.sealingKey()), clock);
    }

    ResourceTokens(
            Catalog catalog,
            Function<ResourceId, Optional<Permission>> permissions,
            Seals seals,
            InstantSource clock) {
        this.catalog = catalog;
        this.permissions = permissions;
        this.seals = seals;
        this.clock = clock;
    }

    /**
     * The content of a token.
     *
     * @param target the container or script that the permission was about; empty where it was not
     *     there
     * @param grant stands for mode, resource and key, and tells none of them
     */
    private record Content(Bytes permission, Bytes target, Bytes grant, long expiryMillis) {
        byte[] encode() {
            return new BinaryWriter(64)
                    .u8(VERSION)
                    .raw(permission)
                    .bytes(target)
                    .raw(grant)
                    .u64(expiryMillis)
                    .toArray();
        }

        static Content decode(byte[] bytes) {
            BinaryReader in = new BinaryReader(bytes);
            if (in.u8() != VERSION) {
                throw new MalformedRecordException("unknown version of a token");
            }
            Content content =
                    new Content(
                            Bytes.wrap(in.raw(RID_BYTES)),
                            in.bytes(),
                            Bytes.wrap(in.raw(GRANT_BYTES)),
                            in.u64());
            in.expectEnd();
            return content;
        }
    }

    @Override
    public String issue(Permission permission, Duration validity) {
        PermissionDefinition definition = permission.definition();
        byte[] content =
                new Content(
                                permission.rid().bytes(),
                                target(definition.link())
                                        .map(ResourceId::bytes)
                                        .orElse(Bytes.EMPTY),
                                grant(definition),
                                clock.instant().plus(validity).toEpochMilli())
                        .encode();
        return HEAD + text(content) + END + text(seals.of(TOKEN, content)) + END;
    }

    @Override
    public Principal.Resource open(String token) {
        Content content = opened(token).orElseThrow(ResourceTokens::unknown);
        Instant expiry = Instant.ofEpochMilli(content.expiryMillis());
        Instant now = clock.instant();
        if (!now.isBefore(expiry)) {
            throw new OrreryException(
                    ErrorCode.FORBIDDEN,
                    "The authorization token is not valid at the current time. Please create"
                            + " another token and retry (token expiry time: "
                            + show(expiry)
                            + ", current server time: "
                            + show(now)
                            + ").");
        }
        PermissionDefinition definition =
                permissions
                        .apply(new ResourceId(content.permission()))
                        .map(Permission::definition)
                        .filter(present -> grant(present).equals(content.grant()))
                        .orElseThrow(ResourceTokens::ended);
        return new Principal.Resource(definition.mode(), scope(definition, content.target()));
    }

    /** Empty for all that was not made here, without a hint at what is wrong with it. */
    private Optional<Content> opened(String token) {
        if (token.length() > MAX_CHARS || !token.startsWith(HEAD)) {
            return Optional.empty();
        }
        int middle = token.indexOf(END);
        int last = token.length() - 1;
        if (middle < 0 || middle == last || token.charAt(last) != END) {
            return Optional.empty();
        }
        Optional<byte[]> content = bytes(token.substring(HEAD.length(), middle));
        Optional<byte[]> seal = bytes(token.substring(middle + 1, last));
        if (content.isEmpty()
                || seal.isEmpty()
                || !MessageDigest.isEqual(seal.get(), seals.of(TOKEN, content.get()))) {
            return Optional.empty();
        }
        try {
            return content.map(Content::decode);
        } catch (MalformedRecordException ofAnotherRelease) {
            return Optional.empty();
        }
    }

    /** The container that a link leads to, or the script in it. */
    private Optional<ResourceId> target(ResourceLink link) {
        return container(link)
                .flatMap(
                        container ->
                                link.child()
                                        .flatMap(child -> kind(child.kind()).map(_ -> child))
                                        .map(child -> script(container, child, link.isByRid()))
                                        .orElseGet(() -> Optional.of(container.rid())));
    }

    private Optional<Container> container(ResourceLink link) {
        Optional<ResourceId> rid = link.containerRid();
        return rid.isPresent()
                ? container(rid.get())
                : catalog.findDatabase(link.database())
                        .map(Database::number)
                        .flatMap(database -> catalog.findContainer(database, link.container()));
    }

    private Optional<Container> container(ResourceId rid) {
        return catalog.findContainer(rid.database().orElseThrow(), rid.container().orElseThrow());
    }

    private Optional<ResourceId> script(Container container, Child child, boolean isByRid) {
        ScriptDefinition.Kind kind = kind(child.kind()).orElseThrow();
        return isByRid
                ? ResourceId.parse(child.id()).filter(rid -> rid.script(kind).isPresent())
                : catalog.findScript(container, kind, child.id()).map(Script::rid);
    }

    private static Optional<ScriptDefinition.Kind> kind(ChildKind kind) {
        return switch (kind) {
            case PROCEDURE -> Optional.of(ScriptDefinition.Kind.PROCEDURE);
            case TRIGGER -> Optional.of(ScriptDefinition.Kind.TRIGGER);
            case FUNCTION -> Optional.of(ScriptDefinition.Kind.FUNCTION);
            case ITEM, CONFLICT -> Optional.empty();
        };
    }

    private TokenScope scope(PermissionDefinition definition, Bytes target) {
        if (target.isEmpty()) {
            return new TokenScope.Nothing();
        }
        ResourceId rid = new ResourceId(target);
        Container container = container(rid).orElseThrow(ResourceTokens::ended);
        Optional<PartitionKey> key = definition.partitionKey();
        ResourceLink link = definition.link();
        if (link.child().isEmpty()) {
            return key.<TokenScope>map(one -> new TokenScope.Key(container.rid(), one))
                    .orElseGet(() -> new TokenScope.WholeContainer(container.rid()));
        }
        Child child = link.child().get();
        return switch (child.kind()) {
            case ITEM -> item(container, key, child.id(), link.isByRid());
            case PROCEDURE, TRIGGER, FUNCTION -> new TokenScope.Script(container.rid(), rid);
            // There is one region, so there are no conflicts.
            case CONFLICT -> new TokenScope.Nothing();
        };
    }

    /** A name without a key is that of an item without one. */
    private static TokenScope item(
            Container container, Optional<PartitionKey> key, String id, boolean isByRid) {
        if (isByRid) {
            return ResourceId.parse(id)
                    .<TokenScope>map(
                            item -> new TokenScope.IdentifiedItem(container.rid(), key, item))
                    .orElseGet(TokenScope.Nothing::new);
        }
        try {
            return new TokenScope.NamedItem(
                    container.rid(),
                    key.orElse(PartitionKey.EMPTY),
                    SqlId.rowKey(container.definition().kind(), id));
        } catch (OrreryException notAnId) {
            return new TokenScope.Nothing(); // no item of the container can have it
        }
    }

    /** The name of the permission is not part of it: it may change and tokens stay. */
    private Bytes grant(PermissionDefinition definition) {
        byte[] rights =
                new BinaryWriter(64)
                        .enumeration(definition.mode())
                        .string(definition.resource())
                        .optional(definition.partitionKey(), (out, key) -> key.write(out))
                        .toArray();
        return Bytes.wrap(Arrays.copyOf(seals.of(GRANT, rights), GRANT_BYTES));
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Base64 has several spellings of one value; only ours counts. */
    private static Optional<byte[]> bytes(String text) {
        try {
            byte[] bytes =
                    Base64.getUrlDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1));
            return text(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    private static String show(Instant instant) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(instant.atOffset(ZoneOffset.UTC));
    }

    private static OrreryException unknown() {
        return new OrreryException(
                ErrorCode.UNAUTHORIZED,
                "The input authorization token can't serve the request. It is not a resource token"
                        + " of this account. Send the token of a permission as it was given.");
    }

    private static OrreryException ended() {
        return new OrreryException(
                ErrorCode.FORBIDDEN,
                "The authorization token has ended: its permission or its resource was deleted or"
                        + " changed. Read the permission for another token.");
    }
}
