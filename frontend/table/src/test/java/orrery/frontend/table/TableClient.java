package orrery.frontend.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.gateway.api.Items;
import orrery.gateway.api.Resources;
import orrery.model.Bytes;
import orrery.model.RequestContext.Principal;

/** Calls an endpoint that lets everybody in. */
final class TableClient {
    private static final String JSON = "application/json;odata=nometadata";

    private final TableEndpoint endpoint;

    TableClient(Items items, Resources resources) {
        this(items, resources, TableConfig.standard());
    }

    TableClient(Items items, Resources resources, TableConfig config) {
        this.endpoint =
                new TableEndpoint(
                        items, resources, (_, _, _) -> new Principal.Account(false), config);
    }

    /** A reply with its body read. */
    record Reply(HttpReply http) {
        int status() {
            return http.status();
        }

        String header(String name) {
            return http.headers().find(name).orElse("");
        }

        boolean has(String name) {
            return http.headers().contains(name);
        }

        String text() {
            StringBuilder text = new StringBuilder();
            http.body().forEach(piece -> text.append(piece.toUtf8()));
            return text.toString();
        }

        Map<String, Value> json() {
            return ((Value.Obj) JsonText.parse(text())).properties();
        }

        /** The rows of a page. */
        List<Value> rows() {
            return json().get("value") instanceof Value.Array(List<Value> rows) ? rows : List.of();
        }

        /** One property of each row, as text. */
        List<String> column(String name) {
            return rows().stream()
                    .map(row -> ((Value.Obj) row).properties().get(name))
                    .map(value -> value instanceof Value.Text(String text) ? text : "" + value)
                    .toList();
        }

        /** The code of an error; empty for a success. */
        String code() {
            return header("x-ms-error-code");
        }

        /** Status and code together, as tables of cases have them. */
        String outcome() {
            return (status() + " " + code()).strip();
        }
    }

    /** Sends a request that asks for JSON without annotations, unless a header says otherwise. */
    Reply call(String method, String target, String body, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        if (!all.contains("Accept")) {
            all.add("Accept");
            all.add(JSON);
        }
        return send(method, target, body, all.toArray(String[]::new));
    }

    /** Sends exactly these headers. */
    Reply send(String method, String target, String body, String... headers) {
        HttpRequest request =
                HttpRequest.of(method, target, Headers.of(headers), Bytes.ofUtf8(body));
        try {
            return new Reply(endpoint.handle(request));
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    Reply get(String target, String... headers) {
        return call("GET", target, "", headers);
    }

    Reply post(String target, String body, String... headers) {
        return call("POST", target, body, headers);
    }

    Reply createTable(String name, String... headers) {
        return post("/Tables", "{\"TableName\":\"" + name + "\"}", headers);
    }
}
