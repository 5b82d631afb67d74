package orrery.cluster.catalog;

import java.util.function.Function;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * All kinds of catalog commands, with their numbers in the log. A number is never given to another
 * kind.
 */
public enum CatalogCommandKind {
    CREATE_DATABASE(2, true, ResourceCommand.CreateDatabase::read),
    DELETE_DATABASE(3, false, ResourceCommand.DeleteDatabase::read),
    CREATE_CONTAINER(4, true, ResourceCommand.CreateContainer::read),
    CONTAINER_READY(5, false, ResourceCommand.ContainerReady::read),
    REPLACE_CONTAINER(6, true, ResourceCommand.ReplaceContainer::read),
    DELETE_CONTAINER(7, false, ResourceCommand.DeleteContainer::read),
    FORGET_CONTAINER(8, false, ResourceCommand.ForgetContainer::read),
    REPLACE_OFFER(9, true, ResourceCommand.ReplaceOffer::read),

    BEGIN_SPLIT(10, true, RangeCommand.BeginSplit::read),
    BEGIN_MERGE(11, true, RangeCommand.BeginMerge::read),
    PUBLISH_RESHAPE(12, false, RangeCommand.PublishReshape::read),
    CANCEL_RESHAPE(13, false, RangeCommand.CancelReshape::read),
    REDISTRIBUTE(14, true, RangeCommand.Redistribute::read),

    CREATE_SCRIPT(15, true, ScriptCommand.CreateScript::read),
    REPLACE_SCRIPT(16, true, ScriptCommand.ReplaceScript::read),
    DELETE_SCRIPT(17, false, ScriptCommand.DeleteScript::read),

    SET_UP_ACCOUNT(18, false, AccountCommand.SetUpAccount::read),
    CHANGE_SETTINGS(19, false, AccountCommand.ChangeSettings::read),
    REPLACE_KEYS(20, false, AccountCommand.ReplaceKeys::read),

    REGISTER_NODE(21, false, RegisterNode::read),

    CREATE_USER(22, true, AccessCommand.CreateUser::read),
    REPLACE_USER(23, true, AccessCommand.ReplaceUser::read),
    DELETE_USER(24, false, AccessCommand.DeleteUser::read),
    CREATE_PERMISSION(25, true, AccessCommand.CreatePermission::read),
    REPLACE_PERMISSION(26, true, AccessCommand.ReplacePermission::read),
    DELETE_PERMISSION(27, false, AccessCommand.DeletePermission::read),
    CREATE_CLIENT_ENCRYPTION_KEY(28, true, AccessCommand.CreateClientEncryptionKey::read),
    REPLACE_CLIENT_ENCRYPTION_KEY(29, true, AccessCommand.ReplaceClientEncryptionKey::read),

    SET_TABLE_POLICIES(30, true, TableCommand.SetTablePolicies::read),
    SET_TABLE_SERVICE(31, true, TableCommand.SetTableService::read),

    TAKE_NAME(32, true, ResourceCommand.TakeName::read),
    KEEP_VERSIONS(33, true, ResourceCommand.KeepVersions::read);

    private static final CatalogCommandKind[] KINDS = values();

    private final int number;
    private final boolean takesSpace;

    /** Holds no state: it is the name of a method. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<BinaryReader, CatalogCommand> reader;

    CatalogCommandKind(
            int number, boolean takesSpace, Function<BinaryReader, CatalogCommand> reader) {
        this.number = number;
        this.takesSpace = takesSpace;
        this.reader = reader;
    }

    public int number() {
        return number;
    }

    /**
     * Returns true if the command begins something new. All others delete, or finish what was
     * begun.
     */
    boolean takesSpace() {
        return takesSpace;
    }

    /** Writes the number of the kind, then the fields. */
    static void write(BinaryWriter out, CatalogCommand command) {
        out.u8(command.kind().number);
        command.write(out);
    }

    static CatalogCommand read(BinaryReader in) {
        int number = in.u8();
        for (CatalogCommandKind kind : KINDS) {
            if (kind.number == number) {
                return in.checked(kind.reader);
            }
        }
        throw new MalformedRecordException("unknown kind of catalog command");
    }
}
