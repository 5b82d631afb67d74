package orrery.server;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import orrery.cluster.api.AccountSettings;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.server.client.AccountClient;

/** The account of a server that runs: it is asked. */
record RunningAccount(AccountClient client) implements AccountAccess {
    @Override
    public AccountSettings settings() {
        return settings(client.settings());
    }

    @Override
    public AccountSettings change(AccountChange change) {
        return settings(client.change(change.toJson()));
    }

    private static AccountSettings settings(Value.Obj json) {
        return AccountChange.parse(JsonText.writeBytes(json)).applyTo(AccountSettings.DEFAULT);
    }

    @Override
    public Optional<AccountKeys> keys() {
        return Optional.of(keys(client.keys()));
    }

    @Override
    public AccountKeys replace(List<KeyKind> kinds) {
        AccountKeys before = keys(client.keys());
        Value.Obj replaced = client.replace(kinds.stream().map(KeyKind::toString).toList());
        return before.replacing(
                kinds.stream()
                        .collect(Collectors.toMap(kind -> kind, kind -> key(replaced, kind))));
    }

    private static AccountKeys keys(Value.Obj json) {
        Map<KeyKind, String> keys =
                Stream.of(KeyKind.values())
                        .collect(Collectors.toMap(kind -> kind, kind -> key(json, kind)));
        return AccountKeys.of(keys);
    }

    private static String key(Value.Obj json, KeyKind kind) {
        if (json.properties().get(kind.toString()) instanceof Value.Text(String key)) {
            return key;
        }
        throw new StartupException("The answer of the server lacks the " + kind + " key.");
    }

    @Override
    public void close() {
        client.close();
    }
}
