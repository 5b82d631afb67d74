package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.cluster.api.AccountSettings;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.KeyDeleteAnswer;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.TriggerNames;
import orrery.gateway.api.TriggeredAnswer;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.ScriptDefinition.Trigger;
import orrery.model.ScriptDefinition.When;
import orrery.model.TriggerOperation;
import orrery.model.resource.PartitionMap;
import orrery.partition.audit.StoreAudit;
import orrery.storage.StoreSnapshot;

/**
 * The log's word on a write is the answer to it, whatever becomes of the partition between the two.
 */
@Timeout(900)
class WriteAnswerTest {
    private static final int CLIENTS = 4;
    private static final int ROUNDS = 12;

    /** Counts, keeps the count in an item, and makes an item that must not be there yet. */
    private static final String COUNT_UP =
            """
            function (key, id) {
                var c = getContext().getCollection();
                c.readDocument(c.getAltLink() + '/docs/count', function (e, found) {
                    var count = e ? { id: 'count', pk: key, n: 0 } : found;
                    count.n++;
                    c.upsertDocument(c.getSelfLink(), count, function (err) {
                        if (err) throw err;
                        c.createDocument(c.getSelfLink(), { id: id, pk: key }, function (err, made) {
                            if (err) throw err;
                            getContext().getResponse().setBody({ n: count.n, etag: made._etag });
                        });
                    });
                });
            }""";

    private static final String STAMP =
            """
            function () {
                var request = getContext().getRequest();
                var item = request.getBody();
                item.stamp = (item.stamp || 0) + 1;
                request.setBody(item);
            }""";

    private static final String NOTE =
            """
            function () {
                var c = getContext().getCollection();
                var made = getContext().getResponse().getBody();
                c.createDocument(c.getSelfLink(), { id: 'note ' + made.id, pk: made.pk },
                    function (err) { if (err) throw err; });
            }""";

    private final AtomicBoolean isArmed = new AtomicBoolean();
    private EngineFixture fixture;
    private Gateway engine;
    private ContainerRef container;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture =
                new EngineFixture(
                        directory,
                        AccountSettings.DEFAULT.withMetering(false, false, false),
                        new ReshapeSteps(_ -> {}, this::afterWrite));
        engine = fixture.engine;
        container = fixture.container("c", 400, "/pk");
        script(new ScriptDefinition(Kind.PROCEDURE, "countUp", COUNT_UP));
        script(trigger("stamp", When.PRE, STAMP));
        script(trigger("note", When.POST, NOTE));
    }

    private static ScriptDefinition trigger(String name, When when, String body) {
        return new ScriptDefinition(
                Kind.TRIGGER, name, body, Optional.of(new Trigger(when, TriggerOperation.ALL)));
    }

    private void script(ScriptDefinition definition) {
        engine.resources().scripts().create(EngineFixture.context(), container, definition);
    }

    @AfterEach
    void close() {
        try (StoreSnapshot snapshot = fixture.replica.store().snapshot()) {
            assertThat(StoreAudit.run(snapshot)).isEmpty();
        }
        fixture.close();
    }

    /** On the thread of the write, which hears the outcome only afterwards. */
    private void afterWrite() {
        if (isArmed.compareAndSet(true, false)) {
            reshape();
        }
    }

    /** Closes every partition there is: splits the only one, or merges the two. */
    private void reshape() {
        PartitionMap before = map();
        boolean isWhole = before.partitions().size() == 1;
        int first = before.partitions().getFirst().range();
        while (map().find(first).isPresent()) {
            try {
                if (isWhole) {
                    engine.operations().splitPartition(EngineFixture.context(), container, first);
                } else {
                    engine.operations().mergePartitions(EngineFixture.context(), container, first);
                }
            } catch (OrreryException notNow) {
                // Entries must come home first, and then it is done in the background.
                assertThat(notNow.code())
                        .isIn(ErrorCode.RETRY_WITH, ErrorCode.CONFLICT, ErrorCode.BAD_REQUEST);
            }
        }
    }

    private PartitionMap map() {
        return engine.resources().readPartitionMap(EngineFixture.context(), container);
    }

    @ParameterizedTest
    @EnumSource
    void theLogsWordIsTheAnswer(Write write) {
        Client client = new Client("k");
        for (int round = 0; round < 4; round++) {
            write.run(client, round);
        }
    }

    /** The same without a seam: partitions close whenever it happens. */
    @Test
    void answersHoldWhileSplitsAndMergesGoOn() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Client client = new Client("k" + i, () -> {});
                clients.add(
                        threads.submit(
                                () -> {
                                    for (int round = 0; round < ROUNDS; round++) {
                                        for (Write write : Write.values()) {
                                            write.run(client, round);
                                        }
                                    }
                                }));
            }
            Future<?> reshaping =
                    threads.submit(
                            () -> {
                                while (!isOver.get()) {
                                    reshape();
                                }
                            });
            try {
                for (Future<?> client : clients) {
                    client.get();
                }
            } finally {
                isOver.set(true);
            }
            reshaping.get();
        }
    }

    /** Every kind of write. A round must not depend on what others left behind. */
    enum Write {
        CREATE {
            @Override
            void run(Client client, int round) {
                client.isStored(client.write(client.create("created " + round)));
            }
        },
        UPSERT {
            @Override
            void run(Client client, int round) {
                for (int v = 0; v < 2; v++) {
                    ItemAnswer answer = client.write(client.upsert("upserted " + round, v));
                    assertThat(answer.outcome())
                            .isEqualTo(
                                    v == 0
                                            ? ItemAnswer.Outcome.CREATED
                                            : ItemAnswer.Outcome.REPLACED);
                    client.isStored(answer);
                }
            }
        },
        REPLACE {
            @Override
            void run(Client client, int round) {
                Etag etag = etag(client.prepare("replaced", round));
                ItemAnswer answer =
                        client.write(
                                new ItemWrite.Replace(
                                        new ItemRef.Named("replaced"),
                                        Optional.empty(),
                                        client.body("replaced", round + 1),
                                        new Precondition.Matches(etag)));
                client.isStored(answer);
            }
        },
        PATCH {
            @Override
            void run(Client client, int round) {
                Etag etag = etag(client.prepare("patched", round));
                ItemAnswer answer =
                        client.write(client.increment("patched", new Precondition.Matches(etag)));
                assertThat(answer.item().orElseThrow().body().toUtf8())
                        .contains("\"v\":" + (round + 1));
                client.isStored(answer);
            }
        },
        DELETE {
            @Override
            void run(Client client, int round) {
                client.prepare("deleted", round);
                ItemAnswer answer =
                        client.write(
                                new ItemWrite.Delete(
                                        new ItemRef.Named("deleted"),
                                        client.key,
                                        Precondition.NONE));
                assertThat(answer.outcome()).isEqualTo(ItemAnswer.Outcome.DELETED);
                assertThat(client.find("deleted")).isEmpty();
            }
        },
        REFUSED {
            @Override
            void run(Client client, int round) {
                Item before = client.prepare("refused", round).item().orElseThrow();
                OrreryException conflict =
                        catchThrowableOfType(
                                OrreryException.class,
                                () -> client.write(client.create("refused")));
                assertThat(conflict.code()).isEqualTo(ErrorCode.CONFLICT);
                OrreryException stale =
                        catchThrowableOfType(
                                OrreryException.class,
                                () ->
                                        client.write(
                                                client.increment(
                                                        "refused",
                                                        new Precondition.Matches(new Etag(7, 7)))));
                assertThat(stale.code()).isEqualTo(ErrorCode.PRECONDITION_FAILED);
                assertThat(client.find("refused")).contains(before);
            }
        },
        BATCH {
            @Override
            void run(Client client, int round) {
                Etag etag = etag(client.prepare("counted", round));
                String made = "batched " + round;
                List<BatchOperation> operations =
                        List.of(
                                new BatchOperation.Write(client.create(made)),
                                new BatchOperation.Write(
                                        client.increment(
                                                "counted", new Precondition.Matches(etag))));
                BatchAnswer answer = client.batch(new ItemBatch.Atomic(client.key, operations));
                assertThat(items(answer))
                        .containsExactly(client.find(made), client.find("counted"));
                assertThat(client.find("counted").orElseThrow().body().toUtf8())
                        .contains("\"v\":" + (round + 1));
            }
        },
        BULK {
            @Override
            void run(Client client, int round) {
                Etag etag = etag(client.prepare("grown", round));
                String made = "bulk " + round;
                List<BatchOperation> operations =
                        List.of(
                                new BatchOperation.Write(client.create(made)),
                                new BatchOperation.Write(
                                        client.increment("grown", new Precondition.Matches(etag))));
                BatchAnswer answer = client.batch(new ItemBatch.Bulk(operations, false, true));
                assertThat(items(answer)).containsExactly(client.find(made), client.find("grown"));
            }
        },
        PROCEDURE {
            @Override
            void run(Client client, int round) {
                ProcedureAnswer answer = client.countUp("counted up " + round);
                Item made = client.find("counted up " + round).orElseThrow();
                assertThat(answer.body().orElseThrow().toUtf8())
                        .isEqualTo(
                                "{\"n\":%d,\"etag\":%s}"
                                        .formatted(
                                                round + 1,
                                                "\""
                                                        + made.etag().quoted().replace("\"", "\\\"")
                                                        + "\""));
                assertThat(client.find("count").orElseThrow().body().toUtf8())
                        .contains("\"n\":" + (round + 1));
                assertThat(answer.lsn()).isEqualTo(made.lsn());
            }
        },
        PRE_TRIGGER {
            @Override
            void run(Client client, int round) {
                TriggeredAnswer answer =
                        client.triggered(
                                client.create("stamped " + round),
                                new TriggerNames(List.of("stamp"), List.of(), false));
                assertThat(answer.answer().item().orElseThrow().body().toUtf8())
                        .contains("\"stamp\":1");
                client.isStored(answer.answer());
            }
        },
        POST_TRIGGER {
            @Override
            void run(Client client, int round) {
                TriggeredAnswer answer =
                        client.triggered(
                                client.create("noted " + round),
                                new TriggerNames(List.of(), List.of("note"), false));
                client.isStored(answer.answer());
                assertThat(client.find("note noted " + round).orElseThrow().lsn())
                        .isEqualTo(answer.answer().lsn());
            }
        },
        DELETE_KEY {
            @Override
            void run(Client client, int round) {
                Client other = client.ofKey(client.name + " to delete");
                other.prepare("gone", round);
                KeyDeleteAnswer answer = other.deleteKey();
                assertThat(answer.sessionToken().lsnByRange()).hasSize(1);
                assertThat(other.find("gone")).isEmpty();
            }
        };

        abstract void run(Client client, int round);

        private static Etag etag(ItemAnswer answer) {
            return answer.item().orElseThrow().etag();
        }

        private static List<Optional<Item>> items(BatchAnswer answer) {
            assertThat(answer.isRefused()).isFalse();
            return answer.results().stream()
                    .map(result -> ((BatchAnswer.Result.Done) result).item())
                    .toList();
        }
    }

    /** The only one who writes items of its key. */
    final class Client {
        private final String name;
        private final PartitionKey key;
        private final Runnable beforeWrite;

        /** Its partition closes after each write. */
        Client(String name) {
            this(name, () -> isArmed.set(true));
        }

        Client(String name, Runnable beforeWrite) {
            this.name = name;
            this.key = PartitionKey.ofText(name);
            this.beforeWrite = beforeWrite;
        }

        Client ofKey(String other) {
            return new Client(other, beforeWrite);
        }

        Bytes body(String id, int v) {
            return Bytes.ofUtf8("{\"id\":\"%s\",\"pk\":\"%s\",\"v\":%d}".formatted(id, name, v));
        }

        ItemWrite create(String id) {
            return new ItemWrite.Create(body(id, 0), Optional.empty());
        }

        ItemWrite upsert(String id, int v) {
            return new ItemWrite.Upsert(body(id, v), Optional.empty(), Precondition.NONE);
        }

        ItemWrite increment(String id, Precondition precondition) {
            return new ItemWrite.Evaluate(
                    new ItemRef.Named(id),
                    key,
                    EngineFixture.patch("[{\"op\":\"incr\",\"path\":\"/v\",\"value\":1}]"),
                    precondition);
        }

        /** A write that is not what the test is about. */
        ItemAnswer prepare(String id, int v) {
            return engine.items().writeItem(EngineFixture.context(), container, upsert(id, v));
        }

        ItemAnswer write(ItemWrite write) {
            beforeWrite.run();
            return engine.items().writeItem(EngineFixture.context(), container, write);
        }

        BatchAnswer batch(ItemBatch batch) {
            beforeWrite.run();
            return engine.items().batch(EngineFixture.context(), container, batch);
        }

        ProcedureAnswer countUp(String id) {
            beforeWrite.run();
            return engine.items()
                    .execute(
                            EngineFixture.context(),
                            container,
                            key,
                            new ResourceRef.Named("countUp"),
                            Bytes.ofUtf8("[\"%s\",\"%s\"]".formatted(name, id)),
                            false);
        }

        TriggeredAnswer triggered(ItemWrite write, TriggerNames triggers) {
            beforeWrite.run();
            return engine.items().writeItem(EngineFixture.context(), container, write, triggers);
        }

        KeyDeleteAnswer deleteKey() {
            beforeWrite.run();
            return engine.items().deleteItems(EngineFixture.context(), container, key);
        }

        Optional<Item> find(String id) {
            try {
                return engine.items()
                        .readItem(EngineFixture.context(), container, key, new ItemRef.Named(id))
                        .item();
            } catch (OrreryException missing) {
                assertThat(missing.code()).isEqualTo(ErrorCode.NOT_FOUND);
                return Optional.empty();
            }
        }

        void isStored(ItemAnswer answer) {
            Item item = answer.item().orElseThrow();
            String id = item.body().toUtf8().replaceFirst(".*?\"id\":\"([^\"]*)\".*", "$1");
            assertThat(find(id)).contains(item);
        }
    }
}
