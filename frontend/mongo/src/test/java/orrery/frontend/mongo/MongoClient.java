package orrery.frontend.mongo;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.frontend.mongo.auth.ScramAuthenticator;
import orrery.frontend.mongo.auth.ScramClient;
import orrery.frontend.mongo.wire.Compressor;
import orrery.frontend.mongo.wire.Message;
import orrery.frontend.mongo.wire.MessageReader;
import orrery.frontend.mongo.wire.MessageWriter;
import orrery.frontend.mongo.wire.WireException;
import orrery.frontend.rest.KeyPolicy;
import orrery.gateway.EngineFixture;
import orrery.gateway.Gateway;
import orrery.model.Bytes;
import orrery.model.security.AccountKeys;
import orrery.query.mongo.Documents;
import orrery.query.mongo.expression.ValueText;

/** One connection to an endpoint, without a socket. */
final class MongoClient {
    static final String USER = "orrery";
    static final int LIMIT = 48_000_000;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final InetSocketAddress HERE =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 10255);

    private final MongoEndpoint endpoint;
    private final MongoSession session;
    private int requests = 100;

    MongoClient(MongoEndpoint endpoint) {
        this.endpoint = endpoint;
        this.session = endpoint.open(77, HERE, HERE);
    }

    /** Returns a client of the same endpoint with a connection of its own. */
    MongoClient another() {
        return new MongoClient(endpoint);
    }

    /** Returns a client of an engine that asks nobody for a login. */
    static MongoClient ofAnybody(EngineFixture fixture, boolean failPoints) {
        return new MongoClient(endpointOfAnybody(fixture, failPoints));
    }

    static MongoEndpoint endpointOfAnybody(EngineFixture fixture, boolean failPoints) {
        AccountKeys keys = AccountKeys.generate(RANDOM);
        return endpoint(fixture.engine, () -> keys, config(false, failPoints));
    }

    /** Does what the end of the connection does. */
    void close() {
        session.close();
    }

    static MongoEndpoint endpoint(Gateway engine, Supplier<AccountKeys> keys, MongoConfig config) {
        return endpoint(engine, keys, config, CommandListener.NONE);
    }

    static MongoEndpoint endpoint(
            Gateway engine,
            Supplier<AccountKeys> keys,
            MongoConfig config,
            CommandListener listener) {
        return new MongoEndpoint(
                engine.items(),
                engine.resources(),
                engine.streams(),
                new ScramAuthenticator(USER, keys, KeyPolicy.loopbackOnly(), RANDOM),
                config,
                listener,
                RANDOM);
    }

    /** The standard configuration, but for two settings. */
    static MongoConfig config(boolean needsLogin, boolean failPoints) {
        MongoConfig standard = MongoConfig.standard();
        return new MongoConfig(
                Optional.of("orrery.example"),
                standard.consistency(),
                standard.requestTimeout(),
                standard.clock(),
                needsLogin,
                failPoints);
    }

    /** A reply to a command. */
    record Reply(Value.Obj document) {
        /** The value at a path with dots; numbers are indexes of arrays. */
        Value at(String path) {
            Value value = document;
            for (String name : path.split("\\.", -1)) {
                value =
                        switch (value) {
                            case Value.Obj object ->
                                    object.properties()
                                            .getOrDefault(name, Value.Undefined.UNDEFINED);
                            case Value.Array(List<Value> elements)
                                    when Integer.parseInt(name) < elements.size() ->
                                    elements.get(Integer.parseInt(name));
                            default -> Value.Undefined.UNDEFINED;
                        };
            }
            return value;
        }

        /** The same as a shell shows it. */
        String text(String path) {
            return ValueText.of(at(path));
        }

        boolean has(String path) {
            return at(path) != Value.Undefined.UNDEFINED;
        }

        boolean isOk() {
            return at("ok").equals(new Value.Real(1.0));
        }

        /** Number, name and words of a failure. */
        String failure() {
            return isOk()
                    ? "ok"
                    : text("code") + " " + string("codeName") + ": " + string("errmsg");
        }

        String string(String path) {
            return at(path) instanceof Value.Text(String text) ? text : text(path);
        }

        long number(String path) {
            return switch (at(path)) {
                case Value.Int(long number) -> number;
                case BsonValue.Int64(long number) -> number;
                default -> throw new AssertionError("no number: " + text(path));
            };
        }

        byte[] payload(String path) {
            if (at(path) instanceof BsonValue.Binary(int _, Bytes data)) {
                return data.unsafeArray();
            }
            throw new AssertionError("no payload: " + text(""));
        }

        @Override
        public String toString() {
            return ValueText.of(document);
        }
    }

    /** Sends a command to database {@code d}, in extended JSON. */
    Reply call(String command) {
        return call("d", command);
    }

    Reply call(String database, String command) {
        String open = command.substring(0, command.lastIndexOf('}'));
        return send(Documents.bson(open + ",'$db':'" + database + "'}"));
    }

    /** Sends exactly this document. */
    Reply send(Bytes document) {
        Answer answer = message(document, Compressor.NONE);
        try {
            Message reply = MessageReader.read(answer.message().orElseThrow(), LIMIT);
            if (answer.closes() || !(reply instanceof Message.Msg message)) {
                throw new AssertionError("the server wants to close");
            }
            return new Reply(BsonCodec.read(message.body()));
        } catch (WireException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends a document in one message, and returns what would be sent back. */
    Answer message(Bytes document, Compressor compressor) {
        return frame(MessageWriter.msg(++requests, 0, document, false, compressor), LIMIT);
    }

    Answer frame(byte[] frame, int limit) {
        return session.answer(frame, Optional.empty(), limit);
    }

    /** Returns what is sent back where there is no room for a message. */
    Answer busy(byte[] frame) {
        return session.busy(frame);
    }

    /** Logs in; the last reply, of whichever step it is. */
    Reply login(String mechanism, String user, String key) {
        ScramClient scram = new ScramClient(mechanism, user, key);
        Reply first =
                call(
                        "admin",
                        "{'saslStart':1,'mechanism':'"
                                + mechanism
                                + "','payload':"
                                + binary(scram.first())
                                + ",'options':{'skipEmptyExchange':true}}");
        if (!first.isOk()) {
            return first;
        }
        Reply last =
                call(
                        "admin",
                        "{'saslContinue':1,'conversationId':"
                                + first.number("conversationId")
                                + ",'payload':"
                                + binary(scram.last(first.payload("payload")))
                                + "}");
        if (last.isOk()
                && !new String(last.payload("payload"), java.nio.charset.StandardCharsets.UTF_8)
                        .equals(scram.expectedSignature())) {
            throw new AssertionError("the server has not proven to have the key");
        }
        return last;
    }

    static String binary(byte[] bytes) {
        return "{'$binary':{'base64':'"
                + java.util.Base64.getEncoder().encodeToString(bytes)
                + "','subType':'00'}}";
    }
}
