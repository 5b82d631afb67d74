package orrery.frontend.mongo.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import orrery.document.Value;
import orrery.frontend.mongo.cursor.Cursors;
import orrery.gateway.fake.FakeItems;
import orrery.gateway.fake.FakeResources;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.query.mongo.Documents;
import orrery.query.mongo.MongoCode;

/** How long transactions live. */
final class TransactionLifetimeTest {
    private static final long MINUTE = TimeUnit.SECONDS.toNanos(60);
    private static final Bytes SESSION = Bytes.ofHex("0102030405060708090A0B0C0D0E0F10");

    private long passed;
    private final long started = System.nanoTime();
    private final FakeItems items = new FakeItems();
    private final Transactions transactions =
            new Transactions(
                    items,
                    new Catalogue(new FakeResources()),
                    new Cursors(1, new SecureRandom(), () -> started + passed),
                    () -> started + passed);

    private static CommandRequest request(String name, int number, boolean starts) {
        Value.Obj body = Documents.of("{'" + name + "':'c'}");
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("localhost", 1);
        return new CommandRequest(
                new Client(1, nowhere, nowhere),
                name,
                name.equals("commitTransaction") ? "admin" : "d",
                new Arguments(name, body),
                Map.of(),
                new RequestContext(
                        new UUID(0, 0),
                        new RequestContext.Principal.Account(false),
                        Optional.empty(),
                        Optional.empty(),
                        System.nanoTime() + TimeUnit.MINUTES.toNanos(5)),
                Optional.of(new TransactionFields(SESSION, number, starts)));
    }

    private void run(CommandRequest request) {
        assertThat(transactions.run(request, _ -> new Doc().ok())).isEqualTo(new Doc().ok());
    }

    private void commit() {
        CommandTable table = new CommandTable();
        transactions.addTo(table);
        table.find("commitTransaction")
                .orElseThrow()
                .body()
                .run(request("commitTransaction", 1, false));
    }

    private static int refusal(Runnable command) {
        OrreryException refusal = catchThrowableOfType(OrreryException.class, command::run);
        return refusal.languageCode().orElseThrow();
    }

    @Test
    void aTransactionEndsAfterAMinute() {
        run(request("find", 1, true));
        passed = MINUTE - 1;
        run(request("find", 1, false));
        passed = MINUTE;

        assertThat(refusal(() -> run(request("find", 1, false))))
                .isEqualTo(MongoCode.NO_SUCH_TRANSACTION.number());
        run(request("find", 2, true));
        run(request("find", 2, false));
    }

    @Test
    void aCommandThatOutlivesItsTransactionIsNotAnswered() {
        CommandRequest late = request("find", 1, true);

        assertThat(
                        refusal(
                                () ->
                                        transactions.run(
                                                late,
                                                _ -> {
                                                    passed = MINUTE;
                                                    return new Doc().ok();
                                                })))
                .isEqualTo(MongoCode.NO_SUCH_TRANSACTION.number());
        assertThat(late.isInTransaction()).isTrue();
        assertThat(late.context().deadlineNanos()).isLessThanOrEqualTo(started + MINUTE);
    }

    @Test
    void aFailedCommandEndsItsTransaction() {
        run(request("find", 1, true));

        assertThat(
                        refusal(
                                () ->
                                        transactions.run(
                                                request("find", 1, false),
                                                _ -> {
                                                    throw MongoCode.BAD_VALUE.failure("x");
                                                })))
                .isEqualTo(MongoCode.BAD_VALUE.number());
        assertThat(refusal(() -> run(request("find", 1, false))))
                .isEqualTo(MongoCode.NO_SUCH_TRANSACTION.number());
    }

    @Test
    void theEndOfASessionEndsItsTransaction() {
        run(request("find", 1, true));
        transactions.endSession(SESSION);
        assertThat(refusal(() -> run(request("find", 1, false))))
                .isEqualTo(MongoCode.NO_SUCH_TRANSACTION.number());
        run(request("find", 2, true));
        transactions.endAll();
        assertThat(refusal(() -> run(request("find", 2, false))))
                .isEqualTo(MongoCode.NO_SUCH_TRANSACTION.number());
    }

    /** A commit that is forgotten before its outcome was heard is neither made nor aborted here. */
    @Test
    void aCommitWithoutAnAnswerStaysOpen() {
        run(request("find", 1, true));
        OrreryException lost = new OrreryException(ErrorCode.TIMEOUT, "x");
        items.nextFailure = Optional.of(lost);
        assertThat(catchThrowableOfType(OrreryException.class, this::commit)).isSameAs(lost);

        assertThat(refusal(() -> run(request("find", 1, false))))
                .isEqualTo(MongoCode.TRANSACTION_COMMITTED.number());
        commit();
        commit();
        assertThat(refusal(() -> run(request("find", 1, false))))
                .isEqualTo(MongoCode.TRANSACTION_COMMITTED.number());
    }

    @Test
    void aCommitThatMeetsAnotherWriteEndsItsTransaction() {
        run(request("find", 1, true));
        OrreryException conflict = new OrreryException(ErrorCode.KEY_CHANGED, "x");
        items.nextFailure = Optional.of(conflict);
        assertThat(catchThrowableOfType(OrreryException.class, this::commit)).isSameAs(conflict);

        assertThat(refusal(this::commit)).isEqualTo(MongoCode.NO_SUCH_TRANSACTION.number());
    }

    @Test
    void aForgottenCommitIsLookedForAgain() {
        run(request("find", 1, true));
        items.nextFailure = Optional.of(new OrreryException(ErrorCode.TIMEOUT, "x"));
        assertThat(catchThrowableOfType(OrreryException.class, this::commit)).isNotNull();
        transactions.endAll();

        OrreryException unknown = catchThrowableOfType(OrreryException.class, this::commit);

        assertThat(unknown.text()).contains("does not match any in-progress transactions");
    }
}
