package orrery.frontend.table;

import java.util.Optional;
import orrery.document.ByteSink;
import orrery.frontend.http.HttpReply;
import orrery.model.Bytes;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.metering.Charge;

/** The answers to requests for one entity; a part of a batch has the same. */
final class EntityReply {
    private static final int NO_CONTENT = 204;

    /** A guess at the bytes of annotations and keys. */
    private static final int ENTITY_BYTES = 512;

    private EntityReply() {}

    /**
     * The answer to a change that was made.
     *
     * @param etag absent after a delete
     * @param account names the account in annotations
     */
    static HttpReply written(
            TableRequest request,
            String account,
            EntityOperation operation,
            Optional<Etag> etag,
            Charge charge) {
        if (operation instanceof EntityOperation.Insert(Entity entity)) {
            return inserted(request, account, entity, time(etag.orElseThrow()), charge);
        }
        TableReply reply = new TableReply(request, NO_CONTENT).charge(charge);
        etag.ifPresent(version -> reply.header("ETag", TableTime.etag(time(version))));
        return reply.build();
    }

    private static HttpReply inserted(
            TableRequest request, String account, Entity entity, FileTime time, Charge charge) {
        String table = request.path().table().orElseThrow();
        Preference preference = Preference.of(request);
        String link =
                request.base() + "/" + EntityLink.of(table, entity.partitionKey(), entity.rowKey());
        TableReply reply =
                new TableReply(request, preference.status())
                        .charge(charge)
                        .header("ETag", TableTime.etag(time))
                        .header("Location", link)
                        .header("Preference-Applied", preference.text());
        if (preference == Preference.NO_CONTENT) {
            return reply.header("DataServiceId", link).build();
        }
        MetadataLevel level = request.level();
        EntityJson json = EntityJson.of(request, level, account, table, Optional.empty());
        return reply.json(level, element(json, entity, time)).build();
    }

    /**
     * @param body of the item that the entity is
     */
    static Bytes element(EntityJson json, Bytes body, FileTime time) {
        ByteSink out = new ByteSink(body.length() + ENTITY_BYTES);
        json.element(out, StoredEntity.of(body), time);
        return out.toBytes();
    }

    private static Bytes element(EntityJson json, Entity entity, FileTime time) {
        ByteSink out = new ByteSink(ENTITY_BYTES);
        json.element(out, entity, time);
        return out.toBytes();
    }

    /** The moment of a version. A container of another kind has no such versions. */
    static FileTime time(Etag etag) {
        return FileTime.ofEtag(etag)
                .orElseThrow(() -> new IllegalStateException("the etag of a table is a moment"));
    }
}
