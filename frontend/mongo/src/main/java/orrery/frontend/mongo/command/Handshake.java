package orrery.frontend.mongo.command;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.frontend.mongo.MongoConfig;
import orrery.frontend.mongo.auth.Login;
import orrery.frontend.mongo.auth.ScramAuthenticator;
import orrery.frontend.mongo.auth.ScramConversation;
import orrery.frontend.mongo.auth.ScramMechanism;
import orrery.frontend.mongo.wire.Compressor;
import orrery.frontend.mongo.wire.Frame;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/** The commands with which a connection begins: hello, and the steps of a login. */
final class Handshake {
    /** The most operations of one write. */
    static final int MAX_WRITE_BATCH = 100_000;

    static final int MAX_DOCUMENT_BYTES = 16 << 20;

    /** The version of the protocol that servers of 8.0 speak. */
    private static final int WIRE_VERSION = 25;

    /** One node is always the primary, of the first and only election. */
    private static final BsonValue.ObjectId ELECTION =
            new BsonValue.ObjectId(Bytes.ofHex("7fffffff0000000000000001"));

    private final MongoConfig config;
    private final ScramAuthenticator authenticator;

    Handshake(MongoConfig config, ScramAuthenticator authenticator) {
        this.config = config;
        this.authenticator = authenticator;
    }

    void addTo(CommandTable table) {
        Set<String> fields =
                Set.of(
                        "helloOk",
                        "client",
                        "compression",
                        "saslSupportedMechs",
                        "speculativeAuthenticate",
                        "loadBalanced",
                        "backpressure",
                        "topologyVersion",
                        "maxAwaitTimeMS",
                        "forShell",
                        "hostInfo");
        table.open("hello", fields, request -> hello(request, "isWritablePrimary"))
                .open("isMaster", fields, request -> hello(request, "ismaster"))
                .alias("ismaster", "isMaster")
                .open(
                        "saslStart",
                        Set.of("mechanism", "payload", "options", "autoAuthorize", "db"),
                        this::start)
                .open("saslContinue", Set.of("conversationId", "payload"), this::proceed)
                .open("authenticate", Set.of("mechanism", "user", "nonce", "key"), this::refuse)
                .open("logout", Set.of(), this::logout);
    }

    // ---- hello

    private Bytes hello(CommandRequest request, String primary) {
        Arguments arguments = request.arguments();
        if (arguments.find("client").isPresent() && !request.client().takeMetadata()) {
            throw MongoCode.CLIENT_METADATA_CANNOT_BE_MUTATED.failure(
                    "The client metadata document may only be sent in the first hello");
        }
        if (arguments.find("topologyVersion").isPresent()
                != arguments.find("maxAwaitTimeMS").isPresent()) {
            throw MongoCode.failure(
                    31368, "A request must have both topologyVersion and maxAwaitTimeMS, or none");
        }
        String me = me(request.client());
        Doc reply = new Doc();
        if (arguments.flag("helloOk", false)) {
            reply.put("helloOk", true);
        }
        reply.put(primary, true)
                .putTexts("hosts", List.of(me))
                .put("setName", MongoConfig.REPLICA_SET)
                .put("setVersion", 1)
                .put("secondary", false)
                .put("primary", me)
                .put("me", me)
                .put("electionId", ELECTION)
                .put("maxBsonObjectSize", MAX_DOCUMENT_BYTES)
                .put("maxMessageSizeBytes", Frame.MAX_MESSAGE_BYTES)
                .put("maxWriteBatchSize", MAX_WRITE_BATCH)
                .putDate("localTime", config.clock().millis())
                .put("logicalSessionTimeoutMinutes", (int) Sessions.TIMEOUT.toMinutes())
                .put("connectionId", request.client().connectionId())
                .put("minWireVersion", 0)
                .put("maxWireVersion", WIRE_VERSION)
                .put("readOnly", false);
        List<String> compression = compression(arguments);
        if (!compression.isEmpty()) {
            reply.putTexts("compression", compression);
        }
        if (arguments.find("saslSupportedMechs").isPresent()) {
            reply.putTexts(
                    "saslSupportedMechs",
                    List.of(ScramMechanism.SHA_1.text(), ScramMechanism.SHA_256.text()));
        }
        speculate(request).ifPresent(first -> reply.put("speculativeAuthenticate", first));
        return reply.ok();
    }

    /** Those of the client that are known here, in its order. */
    private static List<String> compression(Arguments arguments) {
        List<String> common = new ArrayList<>();
        for (Value name : arguments.array("compression").orElse(List.of())) {
            if (name instanceof Value.Text(String text)) {
                Compressor.named(text).ifPresent(known -> common.add(known.text()));
            }
        }
        return common;
    }

    /** The address that replaces the one of the connection string, so the client must reach it. */
    private String me(Client client) {
        InetSocketAddress local = client.local();
        String host =
                config.advertisedHost()
                        .or(client::serverName)
                        .orElseGet(() -> numeric(local.getAddress()));
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + local.getPort();
    }

    private static String numeric(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }

    /** What cannot be begun is left out; the client then begins by itself and hears why. */
    private Optional<Value.Obj> speculate(CommandRequest request) {
        Optional<Arguments> wish = request.arguments().inner("speculativeAuthenticate");
        if (wish.isEmpty() || wish.get().find("saslStart").isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(begin(request.client(), wish.get()).build());
        } catch (OrreryException refused) {
            return Optional.empty();
        }
    }

    // ---- login

    private Bytes start(CommandRequest request) {
        return begin(request.client(), request.arguments()).ok();
    }

    private Doc begin(Client client, Arguments arguments) {
        String name = arguments.requiredText("mechanism");
        ScramMechanism mechanism =
                ScramMechanism.named(name)
                        .orElseThrow(
                                () ->
                                        MongoCode.MECHANISM_UNAVAILABLE.failure(
                                                "Received authentication for mechanism "
                                                        + name
                                                        + " which is unknown or not enabled"));
        boolean skips =
                arguments
                        .inner("options")
                        .map(options -> options.flag("skipEmptyExchange", false))
                        .orElse(false);
        ScramConversation scram =
                authenticator
                        .begin(mechanism, payload(arguments), client.remote().getAddress())
                        .orElseThrow(Handshake::failed);
        Client.Conversation begun = client.begin(scram, skips);
        return step(begun.id(), false, Bytes.wrap(scram.serverFirst()));
    }

    private Bytes proceed(CommandRequest request) {
        Client client = request.client();
        Client.Conversation current =
                client.conversation()
                        .orElseThrow(
                                () ->
                                        MongoCode.PROTOCOL_ERROR.failure(
                                                "No SASL session state found"));
        if (request.arguments().whole("conversationId").orElse(-1) != current.id()) {
            client.conversation(Optional.empty());
            throw MongoCode.PROTOCOL_ERROR.failure("sasl: Mismatched conversation id");
        }
        if (current.login().isPresent()) {
            return finished(client, current.id(), current.login().get(), Bytes.EMPTY);
        }
        client.conversation(Optional.empty());
        ScramConversation.Proven proven =
                current.scram().finish(payload(request.arguments())).orElseThrow(Handshake::failed);
        if (current.skipsEmptyExchange()) {
            return finished(client, current.id(), proven.login(), proven.signature());
        }
        client.conversation(
                Optional.of(
                        new Client.Conversation(
                                current.id(),
                                current.scram(),
                                false,
                                Optional.of(proven.login()))));
        return step(current.id(), false, proven.signature()).ok();
    }

    private static Bytes finished(Client client, int id, Login login, Bytes payload) {
        client.conversation(Optional.empty());
        client.login(Optional.of(login));
        return step(id, true, payload).ok();
    }

    private static Doc step(int conversation, boolean done, Bytes payload) {
        return new Doc()
                .put("conversationId", conversation)
                .put("done", done)
                .put("payload", new BsonValue.Binary(0, payload));
    }

    private static byte[] payload(Arguments arguments) {
        return switch (arguments.find("payload").orElse(null)) {
            case BsonValue.Binary(int _, Bytes data) -> data.unsafeArray();
            case null, default -> throw failed();
        };
    }

    private static OrreryException failed() {
        return MongoCode.AUTHENTICATION_FAILED.failure("Authentication failed.");
    }

    private Bytes refuse(CommandRequest request) {
        throw failed();
    }

    private Bytes logout(CommandRequest request) {
        request.client().login(Optional.empty());
        return new Doc().ok();
    }
}
