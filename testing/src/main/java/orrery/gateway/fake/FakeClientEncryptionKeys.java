package orrery.gateway.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.gateway.api.ClientEncryptionKeys;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.ClientEncryptionKeyDefinition;
import orrery.model.resource.Database;

/** Client encryption keys in memory. */
public final class FakeClientEncryptionKeys implements ClientEncryptionKeys {
    private final FakeResources resources;
    private final List<ClientEncryptionKey> keys = new ArrayList<>();
    private int nextNumber = 1;
    private int nextEtag = 1;

    FakeClientEncryptionKeys(FakeResources resources) {
        this.resources = resources;
    }

    @Override
    public ClientEncryptionKey create(
            RequestContext context,
            ResourceRef database,
            ClientEncryptionKeyDefinition definition) {
        if (find(context, database, new ResourceRef.Named(definition.name())).isPresent()) {
            throw new OrreryException(ErrorCode.CONFLICT, "exists");
        }
        ClientEncryptionKey key =
                key(nextNumber++, resources.resolve(context, database).number(), definition);
        keys.add(key);
        return key;
    }

    @Override
    public ClientEncryptionKey read(RequestContext context, ResourceRef database, ResourceRef key) {
        return require(context, database, key);
    }

    @Override
    public ClientEncryptionKey replace(
            RequestContext context,
            ResourceRef database,
            ResourceRef ref,
            ClientEncryptionKeyDefinition definition,
            Precondition precondition) {
        ClientEncryptionKey present = require(context, database, ref);
        if (!Precondition.holds(precondition, present.etag())) {
            throw new OrreryException(ErrorCode.PRECONDITION_FAILED, "overtaken");
        }
        ClientEncryptionKey replaced = key(present.number(), present.database(), definition);
        keys.set(keys.indexOf(present), replaced);
        return replaced;
    }

    @Override
    public Page<ClientEncryptionKey> list(
            RequestContext context, Database database, PageRequest page) {
        return FakePages.page(
                keys.stream().filter(key -> key.database() == database.number()).toList(), page);
    }

    private ClientEncryptionKey key(
            int number, int database, ClientEncryptionKeyDefinition definition) {
        return new ClientEncryptionKey(
                number, database, definition, new Etag(nextEtag++, 0), FakeItems.NOW_MILLIS);
    }

    private ClientEncryptionKey require(
            RequestContext context, ResourceRef database, ResourceRef ref) {
        return find(context, database, ref)
                .orElseThrow(() -> new OrreryException(ErrorCode.NOT_FOUND, "missing"));
    }

    private Optional<ClientEncryptionKey> find(
            RequestContext context, ResourceRef ref, ResourceRef key) {
        int database = resources.resolve(context, ref).number();
        return keys.stream()
                .filter(each -> each.database() == database)
                .filter(
                        each ->
                                switch (key) {
                                    case ResourceRef.Named(String name) -> each.name().equals(name);
                                    case ResourceRef.Identified(ResourceId rid) ->
                                            each.rid().equals(rid);
                                })
                .findFirst();
    }
}
