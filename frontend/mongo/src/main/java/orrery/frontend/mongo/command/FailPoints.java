package orrery.frontend.mongo.command;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.mongo.MongoCode;

/**
 * Failures that tests of drivers order: {@code failCommand}. Only a server that is started for
 * tests has them.
 */
final class FailPoints {
    private final boolean isAllowed;
    private @Nullable Armed armed;

    FailPoints(boolean isAllowed) {
        this.isAllowed = isAllowed;
    }

    void addTo(CommandTable table) {
        if (isAllowed) {
            table.read("configureFailPoint", Set.of("mode", "data"), this::configure);
        }
    }

    /** A failure that replaces the answer of a command. */
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Bytes reply;
        private final int code;

        Failed(Bytes reply, int code) {
            super("a failure that a test has ordered", null, false, false);
            this.reply = reply;
            this.code = code;
        }

        int code() {
            return code;
        }

        Bytes reply() {
            return reply;
        }
    }

    /** What happens to one command. */
    record Failing(
            boolean closesConnection,
            OptionalLong code,
            Set<String> labels,
            Optional<Value.Obj> writeConcernError) {
        void fail() {
            if (code.isPresent() || closesConnection) {
                int number = (int) code.orElse(0);
                Doc reply =
                        new Doc()
                                .putDouble("ok", 0)
                                .put("errmsg", "Failing command via 'failCommand' failpoint")
                                .put("code", number)
                                .put("codeName", MongoCode.nameOf(number));
                if (!labels.isEmpty()) {
                    reply.putTexts("errorLabels", List.copyOf(labels));
                }
                throw new Failed(BsonCodec.write(reply.build()), number);
            }
        }

        Bytes decorated(Bytes answer) {
            return writeConcernError
                    .map(
                            error ->
                                    RawDocuments.joined(
                                            answer,
                                            BsonCodec.write(
                                                    new Doc()
                                                            .put("writeConcernError", error)
                                                            .build())))
                    .orElse(answer);
        }
    }

    private record Armed(Set<String> commands, long skip, long times, Failing failing) {}

    private synchronized Bytes configure(CommandRequest request) {
        Arguments arguments = request.arguments();
        if (!(request.first() instanceof Value.Text(String name)) || !name.equals("failCommand")) {
            throw MongoCode.BAD_VALUE.failure("there is only the fail point failCommand");
        }
        Value mode = arguments.find("mode").orElseThrow(() -> arguments.missing("mode"));
        if (mode instanceof Value.Text(String text) && text.equals("off")) {
            armed = null;
            return new Doc().ok();
        }
        long skip = 0;
        long times = Long.MAX_VALUE;
        if (mode instanceof Value.Obj counts) {
            Arguments count = new Arguments("mode", counts);
            skip = count.whole("skip").orElse(0);
            times = count.whole("times").orElse(Long.MAX_VALUE);
        }
        Arguments data = arguments.inner("data").orElseThrow(() -> arguments.missing("data"));
        data.allowOnly(
                Set.of(
                        "failCommands",
                        "errorCode",
                        "errorLabels",
                        "closeConnection",
                        "writeConcernError"));
        armed =
                new Armed(
                        texts(data, "failCommands"),
                        skip,
                        times,
                        new Failing(
                                data.flag("closeConnection", false),
                                data.whole("errorCode"),
                                texts(data, "errorLabels"),
                                data.document("writeConcernError")));
        return new Doc().ok();
    }

    private static Set<String> texts(Arguments data, String name) {
        return data.array(name).orElse(List.of()).stream()
                .filter(Value.Text.class::isInstance)
                .map(value -> ((Value.Text) value).value())
                .collect(Collectors.toCollection(HashSet::new));
    }

    synchronized Optional<Failing> next(CommandRequest request) {
        Armed now = armed;
        if (now == null || !now.commands().contains(request.name())) {
            return Optional.empty();
        }
        if (now.skip() > 0) {
            armed = new Armed(now.commands(), now.skip() - 1, now.times(), now.failing());
            return Optional.empty();
        }
        armed =
                now.times() <= 1
                        ? null
                        : new Armed(now.commands(), 0, now.times() - 1, now.failing());
        return Optional.of(now.failing());
    }
}
