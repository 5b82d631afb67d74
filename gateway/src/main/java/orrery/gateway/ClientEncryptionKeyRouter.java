package orrery.gateway;

import java.util.List;
import orrery.gateway.api.ClientEncryptionKeys;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.model.ClientEncryptionPolicy;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.ClientEncryptionKeyDefinition;
import orrery.model.resource.Database;

/** Client encryption keys as resources of the catalog. */
final class ClientEncryptionKeyRouter implements ClientEncryptionKeys {
    private final CatalogDoor door;

    ClientEncryptionKeyRouter(CatalogDoor door) {
        this.door = door;
    }

    @Override
    public ClientEncryptionKey create(
            RequestContext context,
            ResourceRef database,
            ClientEncryptionKeyDefinition definition) {
        door.admit(context, Action.CHANGE_RESOURCES);
        check(definition);
        return door.catalog()
                .access()
                .createKey(context, door.resolver().owner(database), definition);
    }

    @Override
    public ClientEncryptionKey read(RequestContext context, ResourceRef database, ResourceRef key) {
        door.admit(context, Action.READ_RESOURCES);
        return door.resolver().key(database, key);
    }

    @Override
    public ClientEncryptionKey replace(
            RequestContext context,
            ResourceRef database,
            ResourceRef key,
            ClientEncryptionKeyDefinition definition,
            Precondition precondition) {
        door.admit(context, Action.CHANGE_RESOURCES);
        check(definition);
        return door.catalog()
                .access()
                .replaceKey(context, door.resolver().key(database, key), definition, precondition);
    }

    @Override
    public Page<ClientEncryptionKey> list(
            RequestContext context, Database database, PageRequest page) {
        door.admit(context, Action.READ_RESOURCES);
        return door.pages()
                .page(
                        "client encryption keys of " + database.number(),
                        page,
                        (after, limit) ->
                                door.catalog().access().keys(database.number(), after, limit),
                        ClientEncryptionKey::number);
    }

    private static void check(ClientEncryptionKeyDefinition definition) {
        if (!definition.algorithm().equals(EncryptionRules.ALGORITHM)) {
            throw bad(
                    "The encryptionAlgorithm of a client encryption key is "
                            + EncryptionRules.ALGORITHM
                            + ".");
        }
        if (definition.wrappedKey().isEmpty()) {
            throw bad("The wrappedDataEncryptionKey of a client encryption key is empty.");
        }
        if (definition.sizeBytes() > ClientEncryptionKeyDefinition.MAX_BYTES) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE,
                    "Request size is too large: a client encryption key may have 16 KB.");
        }
    }

    /** Checks that the keys of a policy exist. They stay for as long as their database does. */
    void checkKeys(Database database, ContainerDefinition definition) {
        List<String> missing =
                definition.encryption().stream()
                        .flatMap(policy -> policy.includedPaths().stream())
                        .map(ClientEncryptionPolicy.IncludedPath::keyId)
                        .distinct()
                        .filter(
                                name ->
                                        door.catalog()
                                                .access()
                                                .findKey(database.number(), name)
                                                .isEmpty())
                        .toList();
        if (!missing.isEmpty()) {
            throw bad(
                    "ClientEncryptionKey with id '["
                            + String.join(", ", missing)
                            + "]' does not exist.");
        }
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
