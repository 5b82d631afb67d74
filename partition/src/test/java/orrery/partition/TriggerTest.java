package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.ScriptSource;
import orrery.model.TriggerOperation;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.ScriptPlace;
import orrery.partition.api.Trigger;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;

/** Triggers before and after a write, in one transaction with it. */
@Timeout(900)
class TriggerTest {
    private static final ScriptPlace PLACE =
            new ScriptPlace(HostFixture.DATABASE, "food", "tiny", List.of(), Set.of());

    private static final String STAMP =
            "function () { const r = getContext().getRequest(); const b = r.getBody(); "
                    + "b.stamp = r.getOperationType(); r.setBody(b); }";

    private static final String COUNT =
            """
            function () {
                const c = getContext().getCollection();
                const made = getContext().getResponse().getBody();
                c.readDocument(c.getAltLink() + '/docs/count', (e, count) => {
                    const next = e ? {id: 'count', pk: 'north', n: 0, last: ''} : count;
                    next.n++;
                    next.last = made ? made.id : 'deleted';
                    c.upsertDocument(c.getSelfLink(), next);
                });
            }""";

    private HostFixture host;
    private final List<Trigger> before = new ArrayList<>();
    private final List<Trigger> after = new ArrayList<>();

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private static Trigger trigger(TriggerOperation operation, String body) {
        return new Trigger(new ScriptSource("trigger", 1, body), operation);
    }

    private PartitionResponse write(String id, WriteAction action, Precondition precondition) {
        return host.call(
                new WriteRequest.WriteWithTriggers(
                        new WriteRequest.WriteItem(
                                HostFixture.PARTITION,
                                host.newRequest(),
                                key(id),
                                action,
                                precondition),
                        before,
                        after,
                        PLACE,
                        true));
    }

    private PartitionResponse create(String id) {
        return write(
                id,
                new WriteAction.Create(Bytes.ofUtf8("{\"id\":\"" + id + "\",\"pk\":\"north\"}")),
                Precondition.NONE);
    }

    private ItemKey key(String id) {
        return host.key(id, "north");
    }

    private String body(String id) {
        return host.find(key(id)).item().body().toUtf8();
    }

    private boolean isThere(String id) {
        return host.read(key(id), 0) instanceof ReadResponse.Found;
    }

    @Test
    void whatATriggerMakesOfTheBodyIsWritten() {
        before.add(trigger(TriggerOperation.ALL, STAMP));
        WriteResponse.Triggered done = (WriteResponse.Triggered) create("a");
        assertThat(done.change()).isEqualTo(WriteResponse.Change.CREATED);
        assertThat(body("a")).isEqualTo("{\"id\":\"a\",\"pk\":\"north\",\"stamp\":\"Create\"}");
        assertThat(done.item()).contains(host.find(key("a")).item());
        assertThat(done.body()).isEmpty();
    }

    @Test
    void theWriteAndWhatTriggersWriteShareOneLsn() {
        after.add(trigger(TriggerOperation.ALL, COUNT));
        WriteResponse.Triggered first = (WriteResponse.Triggered) create("a");
        WriteResponse.Triggered second = (WriteResponse.Triggered) create("b");
        assertThat(second.headLsn()).isEqualTo(first.headLsn() + 1);
        assertThat(body("count")).contains("\"n\":2").contains("\"last\":\"b\"");
        assertThat(host.find(key("count")).item().lsn()).isEqualTo(second.headLsn());
        write("b", new WriteAction.Delete(), Precondition.NONE);
        assertThat(body("count")).contains("\"n\":3").contains("\"last\":\"deleted\"");
    }

    @Test
    void aTriggerThatThrowsUndoesTheWrite() {
        after.add(trigger(TriggerOperation.ALL, COUNT));
        after.add(trigger(TriggerOperation.ALL, "function () { throw new Error('veto'); }"));
        PartitionResponse.Failed failed = (PartitionResponse.Failed) create("a");
        assertThat(failed.code()).isEqualTo(ErrorCode.SCRIPT_FAILED);
        assertThat(failed.text()).contains("veto").contains("trigger.js:1:");
        assertThat(isThere("a")).isFalse();
        assertThat(isThere("count")).isFalse();
    }

    @Test
    void aRefusedWriteUndoesItsTriggers() {
        create("a");
        before.add(
                trigger(
                        TriggerOperation.ALL,
                        "function () { __.createDocument(__.getSelfLink(), {id: 'left', pk: 'north'}); }"));
        assertThat(HostFixture.failureOf(create("a"))).isEqualTo(ErrorCode.CONFLICT);
        assertThat(
                        HostFixture.failureOf(
                                write(
                                        "a",
                                        new WriteAction.Delete(),
                                        new Precondition.Matches(new Etag(1, 1)))))
                .isEqualTo(ErrorCode.PRECONDITION_FAILED);
        assertThat(isThere("left")).isFalse();
    }

    @Test
    void triggersRunForTheWritesTheyAreMeantFor() {
        before.add(trigger(TriggerOperation.REPLACE, STAMP));
        create("a");
        assertThat(body("a")).doesNotContain("stamp");
        WriteAction upsert =
                new WriteAction.Upsert(Bytes.ofUtf8("{\"id\":\"a\",\"pk\":\"north\",\"v\":2}"));
        write("a", upsert, Precondition.NONE);
        assertThat(body("a")).contains("\"stamp\":\"Replace\"");
        WriteAction fresh = new WriteAction.Upsert(Bytes.ofUtf8("{\"id\":\"b\",\"pk\":\"north\"}"));
        write("b", fresh, Precondition.NONE);
        assertThat(body("b")).doesNotContain("stamp");
    }

    @Test
    void aTriggerCannotMoveTheItemToAnotherKey() {
        before.add(
                trigger(
                        TriggerOperation.ALL,
                        "function () { const b = __.request.getBody(); b.pk = 'south'; __.request.setBody(b); }"));
        assertThat(HostFixture.failureOf(create("a"))).isEqualTo(ErrorCode.PARTITION_KEY_MISMATCH);
    }

    @Test
    void aTriggerAfterTheWriteMayAnswer() {
        after.add(
                trigger(
                        TriggerOperation.CREATE,
                        "function () { const r = getContext().getResponse(); console.log('saw', r.getBody().id);"
                                + " r.setBody({made: r.getBody().id}); }"));
        WriteResponse.Triggered done = (WriteResponse.Triggered) create("a");
        assertThat(done.body()).contains(Bytes.ofUtf8("{\"made\":\"a\"}"));
        assertThat(done.log()).isEqualTo("saw a");
    }

    @Test
    void eachTriggerThatLogsBeginsALine() {
        before.add(trigger(TriggerOperation.ALL, "function () { console.log(''); }"));
        before.add(trigger(TriggerOperation.ALL, "function () {}"));
        after.add(trigger(TriggerOperation.ALL, "function () { console.log('x'); }"));
        assertThat(((WriteResponse.Triggered) create("a")).log()).isEqualTo("\nx");
    }

    @Test
    void aPatchHasNoTriggers() {
        create("a");
        before.add(trigger(TriggerOperation.ALL, STAMP));
        assertThat(
                        HostFixture.failureOf(
                                write(
                                        "a",
                                        HostFixture.patch(
                                                Bytes.ofUtf8(
                                                        "[{\"op\":\"remove\",\"path\":\"/n\"}]")),
                                        Precondition.NONE)))
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }
}
