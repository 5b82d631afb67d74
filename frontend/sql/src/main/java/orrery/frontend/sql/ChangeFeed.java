package orrery.frontend.sql;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.ChangePage;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.Items;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.ErrorCode;
import orrery.model.ItemVersion;
import orrery.model.OrreryException;
import orrery.model.RequestContext;

/**
 * {@code GET …/docs} with {@code A-IM}: what has changed since the etag that the client brings. The
 * etag is the continuation, and there is one also when nothing is new.
 */
final class ChangeFeed {
    private static final String LATEST_VERSION = "incremental feed";
    private static final String ALL_VERSIONS = "full-fidelity feed";

    /** Each item beside what is known of its change, as the Java processor wants it. */
    private static final String SEPARATE_METADATA = "2021-09-15";

    private final Items items;

    ChangeFeed(Items items) {
        this.items = items;
    }

    HttpReply read(SqlRequest request, RequestContext context, ContainerAddress address) {
        String mode = request.find(SqlHeaders.A_IM).orElse("").strip().toLowerCase(Locale.ROOT);
        boolean hasMetadata = hasSeparateMetadata(request);
        ChangeRequest wanted =
                new ChangeRequest(start(request), since(request), request.page().maxItems());
        return switch (mode) {
            case LATEST_VERSION -> {
                ChangePage<ChangedItem> page =
                        items.readChanges(context, address.ref(), request.scope(), wanted);
                yield reply(
                        request, address, page, json -> json.latest(page.changes(), hasMetadata));
            }
            case ALL_VERSIONS -> {
                ChangePage<ItemVersion> page =
                        items.readVersions(context, address.ref(), request.scope(), wanted);
                yield reply(request, address, page, json -> json.all(page.changes()));
            }
            default ->
                    throw new OrreryException(
                            ErrorCode.BAD_REQUEST,
                            "The header A-IM is 'Incremental feed' or 'Full-Fidelity Feed', not '"
                                    + mode
                                    + "'.");
        };
    }

    private static boolean hasSeparateMetadata(SqlRequest request) {
        Optional<String> format = request.find(SqlHeaders.CHANGE_FEED_FORMAT);
        if (format.isPresent() && !format.get().equals(SEPARATE_METADATA)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The header "
                            + SqlHeaders.CHANGE_FEED_FORMAT
                            + " is absent or "
                            + SEPARATE_METADATA
                            + ", not '"
                            + format.get()
                            + "'.");
        }
        return format.isPresent();
    }

    private static ChangeRequest.Start start(SqlRequest request) {
        Optional<String> etag = request.find(SqlHeaders.IF_NONE_MATCH).map(String::strip);
        if (etag.isEmpty()) {
            return new ChangeRequest.Start.Beginning();
        }
        String text = etag.get();
        if (text.equals("*")) {
            return new ChangeRequest.Start.Now();
        }
        boolean isQuoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
        return new ChangeRequest.Start.After(
                isQuoted ? text.substring(1, text.length() - 1) : text);
    }

    private static Optional<Instant> since(SqlRequest request) {
        Optional<String> text = request.find(SqlHeaders.IF_MODIFIED_SINCE);
        try {
            return text.map(ChangeFeed::instant);
        } catch (DateTimeException notADate) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The header If-Modified-Since is a date such as 'Sun, 06 Nov 1994 08:49:37"
                            + " GMT', not '"
                            + text.orElse("")
                            + "'.");
        }
    }

    /** The Go client says UTC where the format has GMT. */
    private static Instant instant(String text) {
        String date = text.strip();
        String inGmt = date.endsWith(" UTC") ? date.substring(0, date.length() - 3) + "GMT" : date;
        return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(inGmt));
    }

    private static HttpReply reply(
            SqlRequest request,
            ContainerAddress address,
            ChangePage<?> page,
            Function<ChangeJson, Bytes> body) {
        Owner owner = address.owner();
        boolean isNothingNew = page.changes().isEmpty() && !page.hasMore();
        SqlReply reply =
                new SqlReply(request, isNothingNew ? 304 : 200)
                        .charge(page.charge())
                        .sessionToken(page.sessionToken())
                        .owner(owner.rid(), owner.path())
                        .header(SqlHeaders.ETAG, "\"" + page.continuation() + "\"")
                        .header(SqlHeaders.ITEM_COUNT, Integer.toString(page.changes().size()));
        page.range().ifPresent(range -> reply.header(SqlHeaders.RANGE_ID, Integer.toString(range)));
        if (!isNothingNew) {
            reply.body(body.apply(new ChangeJson(page.container())));
        }
        return reply.build();
    }
}
