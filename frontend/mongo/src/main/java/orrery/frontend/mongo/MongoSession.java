package orrery.frontend.mongo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.frontend.mongo.command.Client;
import orrery.frontend.mongo.command.Commands;
import orrery.frontend.mongo.command.MongoFailure;
import orrery.frontend.mongo.command.Traffic;
import orrery.frontend.mongo.wire.Compressor;
import orrery.frontend.mongo.wire.Frame;
import orrery.frontend.mongo.wire.Message;
import orrery.frontend.mongo.wire.MessageReader;
import orrery.frontend.mongo.wire.MessageWriter;
import orrery.frontend.mongo.wire.WireException;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.query.mongo.MongoCode;

/** Turns the messages of one connection into commands, and answers into messages. */
final class MongoSession {
    /** Values take several times as many bytes as the BSON that they were read from. */
    private static final int HEAP_FACTOR = 4;

    /** Smaller messages are not worth the time. */
    private static final int COMPRESSED_FROM = 1024;

    private final Commands commands;
    private final Client client;
    private final Traffic traffic;
    private int messages;
    private boolean isKnown;

    MongoSession(Commands commands, Client client, Traffic traffic) {
        this.commands = commands;
        this.client = client;
        this.traffic = traffic;
    }

    /** Ends it; no message comes any more. */
    void close() {
        traffic.closed();
    }

    /**
     * Answers one message, whatever is in it.
     *
     * @param serverName the name by which the client calls the server
     * @param limit the longest message that the client may send, before compression
     */
    Answer answer(byte[] frame, Optional<String> serverName, int limit) {
        traffic.received(frame.length);
        client.serverName(serverName);
        // Drivers never compress hello nor a login, and decompression is no work for strangers.
        if (!isKnown && Frame.isCompressed(frame)) {
            return Answer.CLOSE;
        }
        Answer answer = answer(frame, limit);
        isKnown |= answer.isKnown();
        answer.message().ifPresent(message -> traffic.sent(message.length));
        return answer;
    }

    private Answer answer(byte[] frame, int limit) {
        try {
            return switch (MessageReader.read(frame, limit)) {
                case Message.Msg message -> answer(message);
                case Message.Query query -> answer(query);
            };
        } catch (OrreryException noRoom) {
            Bytes told = MongoFailure.of(noRoom).reply();
            return new Answer(
                    Optional.of(msg(Frame.requestId(frame), told, false, Compressor.NONE)),
                    client.login().isPresent(),
                    false);
        } catch (WireException malformed) {
            if (malformed.code().isEmpty()) {
                return Answer.CLOSE;
            }
            Bytes told = new MongoFailure(malformed.code().getAsInt(), malformed.reason()).reply();
            return new Answer(
                    Optional.of(msg(Frame.requestId(frame), told, false, Compressor.NONE)),
                    false,
                    true);
        }
    }

    private Answer answer(Message.Msg message) {
        Commands.Reply reply = run(message);
        if (message.moreToCome()) {
            return new Answer(Optional.empty(), reply.isKnown(), reply.closes());
        }
        if (reply.closes()) {
            return Answer.CLOSE;
        }
        Compressor compressor =
                reply.document().length() < COMPRESSED_FROM
                        ? Compressor.NONE
                        : message.compressor();
        return new Answer(
                Optional.of(
                        msg(
                                message.requestId(),
                                reply.document(),
                                message.hasChecksum(),
                                compressor)),
                reply.isKnown(),
                false);
    }

    private Commands.Reply run(Message.Msg message) {
        try {
            MemoryAccount.current().take((long) HEAP_FACTOR * message.body().length());
            Map<String, List<Bytes>> sequences = new LinkedHashMap<>();
            message.sequences().forEach(each -> sequences.put(each.name(), each.documents()));
            return commands.run(client, read(message.body()), sequences);
        } catch (OrreryException refused) {
            return new Commands.Reply(
                    MongoFailure.of(refused).reply(), client.login().isPresent(), false);
        }
    }

    private static Value.Obj read(Bytes body) {
        try {
            return BsonCodec.read(body);
        } catch (OrreryException malformed) {
            throw malformed.withLanguageCode(MongoCode.INVALID_BSON.number());
        }
    }

    /** The oldest form of a request, in which drivers of today only say hello. */
    private Answer answer(Message.Query query) {
        Bytes reply;
        boolean isKnown = false;
        try {
            Value.Obj command = unwrapped(read(query.query()));
            String name = command.properties().keySet().stream().findFirst().orElse("");
            if (!query.collection().endsWith(".$cmd") || !isHello(name)) {
                throw MongoCode.UNSUPPORTED_OP_QUERY_COMMAND.failure(
                        "Unsupported OP_QUERY command: "
                                + name
                                + ". The client driver may require an upgrade.");
            }
            Map<String, Value> fields = new LinkedHashMap<>(command.properties());
            String collection = query.collection();
            fields.put(
                    "$db",
                    Value.of(collection.substring(0, collection.length() - ".$cmd".length())));
            Commands.Reply answered = commands.run(client, new Value.Obj(fields), Map.of());
            reply = answered.document();
            isKnown = answered.isKnown();
        } catch (OrreryException refused) {
            reply = MongoFailure.of(refused).reply();
        }
        return new Answer(
                Optional.of(MessageWriter.reply(nextId(), query.requestId(), reply, false)),
                isKnown,
                false);
    }

    private static boolean isHello(String name) {
        return name.equals("isMaster") || name.equals("ismaster") || name.equals("hello");
    }

    private static Value.Obj unwrapped(Value.Obj query) {
        return query.properties().get("$query") instanceof Value.Obj inner ? inner : query;
    }

    /** The answer to a message that there was no room for. */
    Answer busy(int requestId) {
        return new Answer(
                Optional.of(msg(requestId, commands.busy(), false, Compressor.NONE)),
                client.login().isPresent(),
                false);
    }

    Answer busy(byte[] frame) {
        // A client that waits for no reply would take this one for that to its next message.
        return Frame.awaitsReply(frame)
                ? busy(Frame.requestId(frame))
                : new Answer(Optional.empty(), client.login().isPresent(), false);
    }

    private byte[] msg(int responseTo, Bytes document, boolean checksum, Compressor compressor) {
        return MessageWriter.msg(nextId(), responseTo, document, checksum, compressor);
    }

    private int nextId() {
        return ++messages;
    }
}
