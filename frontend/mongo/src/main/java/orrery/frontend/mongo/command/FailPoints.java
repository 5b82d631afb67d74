package orrery.frontend.mongo.command;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.frontend.mongo.cursor.Cursors;
import orrery.model.Bytes;
import orrery.query.mongo.MongoCode;

/**
 * Failures that tests of drivers order: {@code failCommand}, and {@code
 * onPrimaryTransactionalWrite} for writes with the number of a transaction, which counts commands
 * and not their statements. Only a server that is started for tests has them.
 */
final class FailPoints {
    private static final String COMMANDS = "failCommand";
    private static final String NUMBERED_WRITES = "onPrimaryTransactionalWrite";
    private static final String GET_MORES = "failGetMoreAfterCursorCheckout";

    private final boolean isAllowed;
    private final Cursors cursors;
    private final Map<String, Armed> armed = new HashMap<>();

    FailPoints(boolean isAllowed, Cursors cursors) {
        this.isAllowed = isAllowed;
        this.cursors = cursors;
    }

    void addTo(CommandTable table) {
        if (isAllowed) {
            table.read("configureFailPoint", Set.of("mode", "data"), this::configure)
                    // Drivers test with it what happens to a command beyond the stable API.
                    .read("testVersion2", Set.of(), _ -> new Doc().ok());
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

    /**
     * What happens to one command.
     *
     * @param pause before the failure; after the write where that is made
     */
    record Failing(
            boolean runsBefore,
            Duration pause,
            boolean closesConnection,
            OptionalLong code,
            Optional<Set<String>> labels,
            Optional<Value.Obj> writeConcernError) {
        void fail(CommandRequest request) {
            hold();
            if (code.isPresent() || closesConnection) {
                int number = (int) code.orElse(0);
                Doc reply =
                        new Doc()
                                .putDouble("ok", 0)
                                .put("errmsg", "Failing command via 'failCommand' failpoint")
                                .put("code", number)
                                .put("codeName", MongoCode.nameOf(number));
                addLabels(reply, ErrorLabels.of(request.arguments().properties(), number));
                throw new Failed(BsonCodec.write(reply.build()), number);
            }
        }

        Failing withLabels(List<String> all) {
            return new Failing(
                    runsBefore,
                    pause,
                    closesConnection,
                    code,
                    Optional.of(Set.copyOf(all)),
                    writeConcernError);
        }

        void hold() {
            long end = System.nanoTime() + pause.toNanos();
            long left = pause.toNanos();
            while (left > 0 && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(left);
                left = end - System.nanoTime();
            }
        }

        /** Adds the labels that the test names, or those that the server would have. */
        private void addLabels(Doc reply, List<String> usual) {
            List<String> all = labels.<List<String>>map(List::copyOf).orElse(usual);
            if (!all.isEmpty()) {
                reply.putTexts("errorLabels", all);
            }
        }

        Bytes decorated(CommandRequest request, Bytes answer) {
            if (writeConcernError.isEmpty()) {
                return answer;
            }
            Doc more = new Doc().put("writeConcernError", writeConcernError.get());
            long number =
                    new Arguments("writeConcernError", writeConcernError.get())
                            .whole("code")
                            .orElse(0);
            addLabels(more, ErrorLabels.ofWriteConcern(request.arguments().properties(), number));
            return RawDocuments.extended(answer, more.build());
        }
    }

    private record Armed(Set<String> commands, long skip, long times, Failing failing) {}

    private synchronized Bytes configure(CommandRequest request) {
        Arguments arguments = request.arguments();
        String name = request.first() instanceof Value.Text(String text) ? text : "";
        if (!Set.of(COMMANDS, NUMBERED_WRITES, GET_MORES).contains(name)) {
            throw MongoCode.BAD_VALUE.failure(
                    "there are only the fail points "
                            + String.join(", ", COMMANDS, NUMBERED_WRITES, GET_MORES));
        }
        Value mode = arguments.find("mode").orElseThrow(() -> arguments.missing("mode"));
        if (mode instanceof Value.Text(String text) && text.equals("off")) {
            armed.remove(name);
            return new Doc().ok();
        }
        long skip = 0;
        long times = Long.MAX_VALUE;
        if (mode instanceof Value.Obj counts) {
            Arguments count = new Arguments("mode", counts);
            skip = count.whole("skip").orElse(0);
            times = count.whole("times").orElse(Long.MAX_VALUE);
        }
        Arguments data =
                arguments.inner("data").orElseGet(() -> new Arguments("data", new Doc().build()));
        armed.put(
                name,
                switch (name) {
                    case COMMANDS -> commands(data, skip, times);
                    case GET_MORES -> getMores(data, skip, times);
                    default -> numberedWrites(data, skip, times);
                });
        return new Doc().ok();
    }

    private static Armed commands(Arguments data, long skip, long times) {
        data.allowOnly(
                Set.of(
                        "failCommands",
                        "errorCode",
                        "errorLabels",
                        "closeConnection",
                        "blockConnection",
                        "blockTimeMS",
                        "writeConcernError"));
        return new Armed(
                texts(data, "failCommands"),
                skip,
                times,
                new Failing(
                        false,
                        data.flag("blockConnection", false) ? pause(data) : Duration.ZERO,
                        data.flag("closeConnection", false),
                        data.whole("errorCode"),
                        data.find("errorLabels").map(_ -> texts(data, "errorLabels")),
                        data.document("writeConcernError")));
    }

    /** A getMore that fails so has the labels that one of a change stream has. */
    private static Armed getMores(Arguments data, long skip, long times) {
        data.allowOnly(Set.of("errorCode", "closeConnection"));
        return new Armed(
                Set.of("getMore"),
                skip,
                times,
                new Failing(
                        false,
                        Duration.ZERO,
                        data.flag("closeConnection", false),
                        data.whole("errorCode"),
                        Optional.empty(),
                        Optional.empty()));
    }

    private static Duration pause(Arguments data) {
        return Duration.ofMillis(data.whole("blockTimeMS").orElse(0));
    }

    /**
     * Without a code the write is made, and the client does not hear of it. A server that is killed
     * while it pauses has made the write and not answered.
     */
    private static Armed numberedWrites(Arguments data, long skip, long times) {
        data.allowOnly(Set.of("closeConnection", "failBeforeCommitExceptionCode", "blockTimeMS"));
        OptionalLong code = data.whole("failBeforeCommitExceptionCode");
        return new Armed(
                Statements.COMMANDS,
                skip,
                times,
                new Failing(
                        code.isEmpty(),
                        pause(data),
                        data.flag("closeConnection", true),
                        code,
                        Optional.empty(),
                        Optional.empty()));
    }

    private static Set<String> texts(Arguments data, String name) {
        return data.array(name).orElse(List.of()).stream()
                .filter(Value.Text.class::isInstance)
                .map(value -> ((Value.Text) value).value())
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** The fate of a command that has not been carried out. */
    synchronized Optional<Failing> next(CommandRequest request) {
        Optional<Failing> ofCommand = next(COMMANDS, request);
        if (ofCommand.isEmpty()) {
            ofCommand = next(GET_MORES, request).map(failing -> labelled(failing, request));
        }
        return ofCommand.isEmpty() && isNumbered(request, false)
                ? next(NUMBERED_WRITES, request)
                : ofCommand;
    }

    private Failing labelled(Failing failing, CommandRequest request) {
        boolean isOfStream =
                CursorCommands.findId(request.first()).filter(cursors::isStream).isPresent();
        return isOfStream && failing.code().isPresent()
                ? failing.withLabels(ErrorLabels.ofStream(failing.code().getAsLong()))
                : failing;
    }

    /**
     * Returns the fate of the answer to a write that was made.
     *
     * @param answer one from memory is heard, as nothing was written now
     */
    synchronized Optional<Failing> afterWrite(CommandRequest request, Bytes answer) {
        return isNumbered(request, true) && !Statements.wereRetried(answer)
                ? next(NUMBERED_WRITES, request)
                : Optional.empty();
    }

    private boolean isNumbered(CommandRequest request, boolean runsBefore) {
        Armed now = armed.get(NUMBERED_WRITES);
        return now != null
                && now.failing().runsBefore() == runsBefore
                && request.arguments().find("txnNumber").isPresent();
    }

    private Optional<Failing> next(String point, CommandRequest request) {
        Armed now = armed.get(point);
        if (now == null || !now.commands().contains(request.name())) {
            return Optional.empty();
        }
        if (now.skip() > 0) {
            armed.put(point, new Armed(now.commands(), now.skip() - 1, now.times(), now.failing()));
            return Optional.empty();
        }
        if (now.times() <= 1) {
            armed.remove(point);
        } else {
            armed.put(point, new Armed(now.commands(), 0, now.times() - 1, now.failing()));
        }
        return Optional.of(now.failing());
    }
}
