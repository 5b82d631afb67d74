package orrery.frontend.table;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import orrery.document.ByteSink;
import orrery.frontend.http.HttpReply;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.Items;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.Etag;
import orrery.model.RequestContext;
import orrery.query.QueryCall;
import orrery.query.SizedCache;
import orrery.query.table.TableFilter;
import orrery.query.table.TableStatement;

/** Pages of the entities of a table. */
final class EntityQueries {
    private static final String NEXT_PARTITION_KEY = "NextPartitionKey";
    private static final String NEXT_ROW_KEY = "NextRowKey";
    private static final String CONTINUATION = "x-ms-continuation-";

    /** Some clients go on only if there is one, but nobody looks at it. */
    private static final String SOME_ROW_KEY = "-";

    /** The bytes of a filter in memory for each character of its text, about. */
    private static final int BYTES_PER_CHARACTER = 10;

    private static final int FILTER_BYTES = 256;
    private static final int KEPT_FILTERS_BYTES = 1 << 20;

    private final Items items;

    /** Filters that were read lately, by their texts: most clients have few. */
    private final SizedCache<String, TableFilter> filters = new SizedCache<>(KEPT_FILTERS_BYTES);

    EntityQueries(Items items) {
        this.items = items;
    }

    /** The options of a request. */
    record Wanted(MetadataLevel level, TableStatement statement, PageRequest page) {}

    /** Reads the query of a request, and checks it before anything is looked up. */
    Wanted wanted(TableRequest request) {
        request.allowOptions("$filter", "$select", "$top", "$format");
        TableFilter filter =
                request.options()
                        .find("$filter")
                        .map(this::filter)
                        .orElse(new TableFilter.Constant(true));
        return new Wanted(
                request.level(),
                new TableStatement(filter, select(request)),
                new PageRequest(request.top(), token(request)));
    }

    private TableFilter filter(String text) {
        TableFilter known = filters.find(text);
        if (known != null) {
            return known;
        }
        TableFilter parsed = FilterParser.parse(text);
        filters.put(text, parsed, FILTER_BYTES + (long) BYTES_PER_CHARACTER * text.length());
        return parsed;
    }

    HttpReply run(
            TableRequest request,
            RequestContext context,
            ContainerRef.Resolved table,
            String account,
            Wanted wanted) {
        EntityJson json =
                EntityJson.of(
                        request,
                        wanted.level(),
                        account,
                        table.container().name(),
                        wanted.statement().select());
        QueryPage page =
                items.query(
                        context,
                        table,
                        new FeedScope.Everything(),
                        QueryCall.of(wanted.statement()),
                        wanted.page());
        TableReply reply = new TableReply(request, 200).charge(page.charge());
        if (wanted.page().maxItems().equals(OptionalInt.of(0))) {
            // Storage Explorer asks so. The engine's pages have a row at least, and whoever may not
            // read is refused there.
            return reply.json(wanted.level(), page(json, List.of())).build();
        }
        page.continuation()
                .ifPresent(
                        token ->
                                reply.header(CONTINUATION + NEXT_PARTITION_KEY, encoded(token))
                                        .header(CONTINUATION + NEXT_ROW_KEY, SOME_ROW_KEY));
        return reply.json(wanted.level(), page(json, page.rows())).build();
    }

    private static Bytes page(EntityJson json, List<Bytes> rows) {
        StoredEntity entity = new StoredEntity();
        return json.envelope()
                .around(rows, Bytes::length, (out, row) -> row(json, out, entity, row));
    }

    private static void row(EntityJson json, ByteSink out, StoredEntity entity, Bytes row) {
        entity.open(row);
        Etag etag =
                entity.etag().orElseThrow(() -> new IllegalStateException("a row without an etag"));
        json.row(out, entity, EntityReply.time(etag));
    }

    private static String encoded(String token) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(token.getBytes(StandardCharsets.UTF_8));
    }

    /** The place where the page begins, as {@link #encoded} wrote it. */
    private static Optional<String> token(TableRequest request) {
        QueryOptions options = request.options();
        if (options.find(NEXT_ROW_KEY).isPresent() && options.find(NEXT_PARTITION_KEY).isEmpty()) {
            // A client that lost half of the continuation would read the first page for ever.
            throw TableException.of(
                    TableErrorCode.INVALID_INPUT,
                    NEXT_ROW_KEY + " needs " + NEXT_PARTITION_KEY + ".");
        }
        return options.find(NEXT_PARTITION_KEY)
                .map(
                        text -> {
                            try {
                                return new String(
                                        Base64.getUrlDecoder().decode(text),
                                        StandardCharsets.UTF_8);
                            } catch (IllegalArgumentException notBase64) {
                                throw TableException.of(
                                        TableErrorCode.INVALID_INPUT,
                                        NEXT_PARTITION_KEY + " is not one that we gave.");
                            }
                        });
    }

    /** The properties that a client asks for; absent where it wants all. */
    static Optional<List<String>> select(TableRequest request) {
        return request.options()
                .find("$select")
                .map(
                        text ->
                                Arrays.stream(text.split(",", -1))
                                        .map(String::strip)
                                        .filter(name -> !name.isEmpty())
                                        .distinct()
                                        .toList())
                .filter(names -> !names.isEmpty() && !names.contains("*"));
    }
}
