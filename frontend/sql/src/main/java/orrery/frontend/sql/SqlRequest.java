package orrery.frontend.sql;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import orrery.document.KeyHeader;
import orrery.frontend.http.Decimal;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.HeaderFlag;
import orrery.frontend.sql.plan.PlanFeature;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.TriggerNames;
import orrery.model.Bytes;
import orrery.model.ConsistencyLevel;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;
import orrery.model.ResourceId;
import orrery.model.SessionToken;
import orrery.model.SizeLimits;
import orrery.model.ThroughputBuckets;
import orrery.model.metering.RequestTerms;
import orrery.query.QueryRequest;

/** A request whose headers are read as the API means them. */
final class SqlRequest {
    /** Clients of earlier versions read a session token as a plain number per range. */
    private static final String FIRST_VERSION_WITH_VECTOR_TOKENS = "2018-06-18";

    /** From this version on every new container has a partition key. */
    private static final String FIRST_VERSION_WITHOUT_FIXED_CONTAINERS = "2018-12-31";

    private final HttpRequest http;
    private final Headers headers;
    private final UUID activityId;

    SqlRequest(HttpRequest http) {
        this.http = http;
        this.headers = http.headers();
        this.activityId = activityId(headers.get(SqlHeaders.ACTIVITY_ID));
    }

    HttpRequest http() {
        return http;
    }

    String method() {
        return http.method();
    }

    Bytes body() {
        return http.body();
    }

    UUID activityId() {
        return activityId;
    }

    RequestContext context(Principal principal, SqlConfig config) {
        return new RequestContext(
                activityId,
                principal,
                Optional.ofNullable(headers.get(SqlHeaders.SESSION_TOKEN)).map(SessionToken::parse),
                consistency(config.consistency().get().level()),
                terms(),
                System.nanoTime() + config.requestTimeout().toNanos());
    }

    private RequestTerms terms() {
        String priority = headers.get(SqlHeaders.PRIORITY_LEVEL);
        boolean refusesMinute = strictFlag(SqlHeaders.DISABLE_RU_PER_MINUTE);
        int bucket = bucket(headers.get(SqlHeaders.THROUGHPUT_BUCKET));
        boolean isStandard = priority == null && !refusesMinute && bucket == 0;
        return isStandard && !has(SqlHeaders.IF_NONE_MATCH)
                ? RequestTerms.STANDARD
                : new RequestTerms(priority(priority), !refusesMinute, 1, ifNoneMatch(), bucket);
    }

    /** Returns the number of the bucket that the request belongs to, 0 where it names none. */
    private static int bucket(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        int most = ThroughputBuckets.MOST;
        return (int)
                Decimal.parse(text, 1, most)
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.BAD_REQUEST,
                                                SqlHeaders.THROUGHPUT_BUCKET
                                                        + " must be between 1 and "
                                                        + most
                                                        + "."));
    }

    private static RequestTerms.Priority priority(@Nullable String text) {
        return switch (text == null ? "high" : text.toLowerCase(Locale.ROOT)) {
            case "high" -> RequestTerms.Priority.HIGH;
            case "low" -> RequestTerms.Priority.LOW;
            default ->
                    throw new OrreryException(
                            ErrorCode.BAD_REQUEST,
                            "The header "
                                    + SqlHeaders.PRIORITY_LEVEL
                                    + " is High or Low, not '"
                                    + text
                                    + "'.");
        };
    }

    /** An empty header counts as absent. */
    Optional<String> find(String name) {
        return headers.find(name);
    }

    boolean has(String name) {
        return headers.get(name) != null;
    }

    boolean flag(String name) {
        String value = headers.get(name);
        return value != null && value.equalsIgnoreCase("true");
    }

    /** Like {@link #flag}, but rejects any value other than {@code true} and {@code false}. */
    boolean strictFlag(String name) {
        return HeaderFlag.parse(headers, name);
    }

    boolean isQuery() {
        return flag(SqlHeaders.IS_QUERY)
                || flag(SqlHeaders.IS_QUERY_GO)
                || hasContentType("application/query+json")
                || hasContentType("application/sql");
    }

    boolean isQueryPlan() {
        return flag(SqlHeaders.IS_QUERY_PLAN);
    }

    /**
     * Returns the plan features that the client supports; a client that names none supports all.
     */
    Set<PlanFeature> planFeatures() {
        return find(SqlHeaders.SUPPORTED_QUERY_FEATURES)
                .map(PlanFeature::parse)
                .orElseGet(() -> EnumSet.allOf(PlanFeature.class));
    }

    QueryRequest query() {
        return hasContentType("application/sql")
                ? new QueryRequest(body().toUtf8(), Map.of())
                : QueryRequest.parse(body());
    }

    boolean prefersMinimal() {
        String prefer = headers.get(SqlHeaders.PREFER);
        return prefer != null && prefer.toLowerCase(Locale.ROOT).contains("return=minimal");
    }

    boolean knowsVectorTokens() {
        String version = headers.get(SqlHeaders.VERSION);
        return version == null || version.compareTo(FIRST_VERSION_WITH_VECTOR_TOKENS) >= 0;
    }

    /**
     * Returns true if the client's version is from the time when a container could be without a
     * key.
     */
    boolean allowsFixedContainers() {
        String version = headers.get(SqlHeaders.VERSION);
        return version != null && version.compareTo(FIRST_VERSION_WITHOUT_FIXED_CONTAINERS) < 0;
    }

    /** {@code If-Match}; an etag we can never have made matches nothing. */
    Precondition ifMatch() {
        String text = headers.get(SqlHeaders.IF_MATCH);
        return text == null ? Precondition.NONE : Precondition.matching(text);
    }

    /** {@code If-None-Match}: holds for the version that the client already has, if any. */
    Precondition ifNoneMatch() {
        String text = headers.get(SqlHeaders.IF_NONE_MATCH);
        return text == null ? new Precondition.Impossible() : Precondition.matching(text);
    }

    /** Returns true if the client already has this version ({@code If-None-Match}). */
    boolean alreadyHas(String quotedEtag) {
        String text = headers.get(SqlHeaders.IF_NONE_MATCH);
        return text != null
                && (text.equals("*")
                        || text.equals(quotedEtag)
                        || quotedEtag.equals('"' + text + '"'));
    }

    /** Names behind commas; none where the header is missing or empty. */
    List<String> names(String header) {
        return find(header).stream()
                .flatMap(text -> Stream.of(text.split(",")))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    TriggerNames triggers() {
        return new TriggerNames(
                names(SqlHeaders.PRE_TRIGGER),
                names(SqlHeaders.POST_TRIGGER),
                flag(SqlHeaders.SCRIPT_LOGGING));
    }

    Optional<PartitionKey> partitionKey() {
        String text = headers.get(SqlHeaders.PARTITION_KEY);
        return text == null ? Optional.empty() : Optional.of(KeyHeader.parse(text));
    }

    PageRequest page() {
        return new PageRequest(
                maxItems(), Optional.ofNullable(headers.get(SqlHeaders.CONTINUATION)));
    }

    private OptionalInt maxItems() {
        String text = headers.get(SqlHeaders.MAX_ITEM_COUNT);
        if (text == null) {
            return OptionalInt.of(SizeLimits.MAX_PAGE_ROWS);
        }
        if (text.equals("-1")) {
            return OptionalInt.empty();
        }
        int count =
                (int)
                        Decimal.parse(text, 0, Integer.MAX_VALUE)
                                .orElseThrow(
                                        () ->
                                                new OrreryException(
                                                        ErrorCode.BAD_REQUEST,
                                                        "The input PageSize "
                                                                + text
                                                                + " is invalid. Ensure to pass a"
                                                                + " valid page size which must be"
                                                                + " a positive integer or -1 for"
                                                                + " a dynamic page size"));
        return OptionalInt.of(count == 0 ? SizeLimits.MAX_PAGE_ROWS : count);
    }

    /** Returns the part of a container that the headers ask for. */
    FeedScope scope() {
        Optional<PartitionKey> key = partitionKey();
        if (key.isPresent()) {
            return new FeedScope.Key(key.get());
        }
        Optional<KeyRange> clip = clip();
        OptionalInt range = rangeId();
        if (range.isPresent()) {
            return new FeedScope.Range(range.getAsInt(), clip);
        }
        return clip.<FeedScope>map(FeedScope.Keys::new).orElseGet(FeedScope.Everything::new);
    }

    /** Returns true if the headers say which part of a container is meant. */
    boolean isTargeted() {
        return has(SqlHeaders.PARTITION_KEY)
                || has(SqlHeaders.RANGE_ID)
                || has(SqlHeaders.START_EPK)
                || has(SqlHeaders.END_EPK);
    }

    /**
     * The rid that the client believes the container to have, from the header made for it or from
     * the longer form of a range id, {@code <container rid>,<range>}.
     */
    Optional<ResourceId> intendedContainer() {
        String rid = headers.get(SqlHeaders.INTENDED_RID);
        if (rid == null) {
            String range = headers.get(SqlHeaders.RANGE_ID);
            int comma = range == null ? -1 : range.indexOf(',');
            rid = range == null || comma < 0 ? null : range.substring(0, comma);
        }
        return rid == null ? Optional.empty() : Optional.of(containerRid(rid));
    }

    private static ResourceId containerRid(String text) {
        return ResourceId.parse(text)
                .filter(rid -> rid.container().isPresent())
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.BAD_REQUEST,
                                        "'" + text + "' is not the rid of a container."));
    }

    SqlHints hints() {
        return new SqlHints(intendedContainer(), rangeId());
    }

    /** The physical partition that the client believes to have what it asks for. */
    OptionalInt rangeId() {
        String text = headers.get(SqlHeaders.RANGE_ID);
        if (text == null) {
            return OptionalInt.empty();
        }
        String id = text.substring(text.indexOf(',') + 1).strip();
        return OptionalInt.of(
                (int)
                        Decimal.parse(id, 0, Integer.MAX_VALUE)
                                .orElseThrow(
                                        () ->
                                                new OrreryException(
                                                        ErrorCode.BAD_REQUEST,
                                                        "'"
                                                                + text
                                                                + "' is not a partition key range"
                                                                + " id.")));
    }

    private Optional<KeyRange> clip() {
        String start = headers.get(SqlHeaders.START_EPK);
        String end = headers.get(SqlHeaders.END_EPK);
        if (start == null && end == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new KeyRange(
                            start == null ? EffectiveKey.MIN : EffectiveKey.ofHex(start),
                            end == null ? EffectiveKey.MAX : EffectiveKey.ofHex(end)));
        } catch (IllegalArgumentException notARange) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "x-ms-start-epk and x-ms-end-epk must be hexadecimal effective partition keys,"
                            + " the first below the second.");
        }
    }

    private Optional<ConsistencyLevel> consistency(ConsistencyLevel account) {
        String level = headers.get(SqlHeaders.CONSISTENCY_LEVEL);
        String strategy = headers.get(SqlHeaders.READ_CONSISTENCY_STRATEGY);
        if (level != null && strategy != null) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "A request may carry either x-ms-consistency-level or"
                            + " x-ms-cosmos-read-consistency-strategy, not both.");
        }
        if (level != null) {
            return Optional.of(weakened(level, account));
        }
        if (strategy == null) {
            return Optional.of(account);
        }
        return switch (strategy.toLowerCase(Locale.ROOT)) {
            case "default" -> Optional.of(account);
            // The latest committed version is what the leader has, as for a strong read.
            case "latestcommitted" -> Optional.of(ConsistencyLevel.STRONG);
            case "globalstrong" -> Optional.of(weakened("Strong", account));
            default -> Optional.of(weakened(strategy, account));
        };
    }

    private static ConsistencyLevel weakened(String text, ConsistencyLevel account) {
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            if (level.wireName().equalsIgnoreCase(text)) {
                if (level.compareTo(account) < 0) {
                    throw new OrreryException(
                            ErrorCode.BAD_REQUEST,
                            "ConsistencyLevel "
                                    + level.wireName()
                                    + " specified in the request is invalid when service is"
                                    + " configured with consistency level "
                                    + account.wireName()
                                    + ". Ensure the request consistency level is not stronger than"
                                    + " the service consistency level.");
                }
                return level;
            }
        }
        throw new OrreryException(
                ErrorCode.BAD_REQUEST, "'" + text + "' is not a consistency level.");
    }

    private boolean hasContentType(String type) {
        String value = headers.get(SqlHeaders.CONTENT_TYPE);
        return value != null && value.regionMatches(true, 0, type, 0, type.length());
    }

    private static UUID activityId(@Nullable String text) {
        if (text != null && text.length() == 36) {
            try {
                return UUID.fromString(text);
            } catch (IllegalArgumentException notAnId) {
                // It only serves to find a request again, so ours does as well.
            }
        }
        return RequestContext.newActivityId();
    }
}
