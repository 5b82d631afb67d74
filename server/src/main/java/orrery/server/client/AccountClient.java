package orrery.server.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.security.RequestSigner;
import orrery.server.client.ServerConnection.Request;

/** Asks a running server about its account. What goes wrong is a {@link ClientException}. */
public final class AccountClient implements AutoCloseable {
    private static final String SETTINGS = "account";
    private static final String KEYS = "keys";

    private final ServerConnection connection;

    AccountClient(ServerConnection connection) {
        this.connection = connection;
    }

    /** A client of a server on this machine. */
    public static AccountClient of(URI server, String key) {
        return new AccountClient(
                new ServerConnection(
                        HttpClient.newBuilder()
                                .version(HttpClient.Version.HTTP_1_1)
                                .connectTimeout(ServerOptions.CONNECT_TIMEOUT)
                                .build(),
                        server,
                        new RequestSigner(key),
                        Clock.systemUTC()));
    }

    public Value.Obj settings() {
        return call("GET", SETTINGS, Optional.empty());
    }

    public Value.Obj change(Value.Obj settings) {
        return call("PUT", SETTINGS, Optional.of(settings));
    }

    /** Returns all keys, by their names. */
    public Value.Obj keys() {
        return call("GET", KEYS, Optional.empty());
    }

    /** Returns the new keys, by their names. */
    public Value.Obj replace(List<String> kinds) {
        Value named = new Value.Array(kinds.stream().<Value>map(Value::of).toList());
        return call("POST", KEYS, Optional.of(new Value.Obj(Map.of("replace", named))));
    }

    /** The account itself has no name to sign. */
    private Value.Obj call(String verb, String what, Optional<Value> body) {
        return connection
                .send(
                        new Request(
                                verb,
                                "/_orrery/" + what,
                                what,
                                "",
                                "account",
                                Map.of(),
                                body.map(JsonText::writeBytes)))
                .json()
                .json();
    }

    @Override
    public void close() {
        connection.close();
    }
}
