package orrery.frontend.sql;

import java.util.List;
import java.util.OptionalLong;
import orrery.document.ByteSink;
import orrery.document.SystemProperties;
import orrery.frontend.http.HttpReply;
import orrery.frontend.rest.PageEnvelope;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.TriggeredAnswer;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.Precondition;
import orrery.model.resource.Container;

/**
 * Items on their way out: the stored bytes with the system properties put in, never parsed and
 * printed again.
 */
final class ItemReply {
    /** Room for the system properties of one item. */
    private static final int SYSTEM_BYTES = 256;

    private ItemReply() {}

    static HttpReply read(SqlRequest request, ContainerAddress address, ItemAnswer answer) {
        Precondition known = request.ifNoneMatch();
        boolean isKnown =
                answer.item().filter(item -> Precondition.holds(known, item.etag())).isPresent();
        return isKnown
                ? headers(request, 304, address, answer).build()
                : whole(request, 200, address, answer);
    }

    static HttpReply written(SqlRequest request, ContainerAddress address, ItemAnswer answer) {
        int status = status(answer);
        return status == 204 || request.prefersMinimal()
                ? headers(request, status, address, answer).build()
                : whole(request, status, address, answer);
    }

    /** A trigger may have put something else in place of the item. */
    static HttpReply triggered(
            SqlRequest request, ContainerAddress address, TriggeredAnswer triggered) {
        ItemAnswer answer = triggered.answer();
        SqlReply reply = headers(request, status(answer), address, answer);
        ScriptLog.add(reply, triggered.log());
        if (triggered.body().isPresent()) {
            reply.body(triggered.body().get());
        } else if (!request.prefersMinimal()) {
            addItem(request, reply, answer);
        }
        return reply.build();
    }

    private static int status(ItemAnswer answer) {
        return switch (answer.outcome()) {
            case CREATED -> 201;
            case READ, REPLACED, UNCHANGED -> 200;
            case DELETED -> 204;
        };
    }

    private static HttpReply whole(
            SqlRequest request, int status, ContainerAddress address, ItemAnswer answer) {
        SqlReply reply = headers(request, status, address, answer);
        addItem(request, reply, answer);
        return reply.build();
    }

    private static void addItem(SqlRequest request, SqlReply reply, ItemAnswer answer) {
        answer.item()
                .ifPresent(
                        item -> {
                            ByteSink out = new ByteSink(item.body().length() + SYSTEM_BYTES);
                            system(request, answer.container())
                                    .splice(out, item, OptionalLong.empty());
                            reply.body(out.toBytes());
                        });
    }

    private static SystemProperties system(SqlRequest request, Container container) {
        SystemProperties all = new SystemProperties(container.rid());
        return request.flag(SqlHeaders.EXCLUDE_SYSTEM_PROPERTIES) ? all.withoutLinks() : all;
    }

    private static SqlReply headers(
            SqlRequest request, int status, ContainerAddress address, ItemAnswer answer) {
        Owner owner = address.owner();
        SqlReply reply =
                new SqlReply(request, status)
                        .charge(answer.charge())
                        .sessionToken(answer.sessionToken())
                        .owner(owner.rid(), owner.path())
                        .header(SqlHeaders.RANGE_ID, Integer.toString(answer.range()))
                        .header(SqlHeaders.LSN, Long.toString(answer.lsn()))
                        .location();
        answer.item().ifPresent(item -> reply.etag(item.etag()));
        return reply;
    }

    /**
     * A page of a feed.
     *
     * @param items those of the page that the client asked for
     */
    static HttpReply page(
            SqlRequest request, ContainerAddress address, ItemPage page, List<Item> items) {
        Container container = page.container();
        Owner owner = address.owner();
        SqlReply reply =
                new SqlReply(request, 200)
                        .charge(page.charge())
                        .sessionToken(page.sessionToken())
                        .owner(owner.rid(), owner.path())
                        .header(SqlHeaders.ITEM_COUNT, Integer.toString(items.size()))
                        .continuation(page.continuation());
        page.range().ifPresent(range -> reply.header(SqlHeaders.RANGE_ID, Integer.toString(range)));
        return reply.body(envelope(request, container, items)).build();
    }

    private static Bytes envelope(SqlRequest request, Container container, List<Item> items) {
        SystemProperties system = system(request, container);
        return PageEnvelope.counted(container.rid().toString(), "Documents", items.size())
                .around(
                        items,
                        item -> item.body().length() + SYSTEM_BYTES,
                        (out, item) -> system.splice(out, item, OptionalLong.empty()));
    }
}
