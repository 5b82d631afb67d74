package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.document.BodyFormat;
import orrery.document.JsonText;
import orrery.document.SqlId;
import orrery.document.Value;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.TriggerNames;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.TriggerOperation;

/**
 * Items in BSON that are read, changed and written through SQL, in every way it has. The document
 * must be the one it was, but for what was changed. {@code -Dseed=N} replays one.
 */
final class SqlOverBsonProperties {
    private static final int STEPS = 60;
    private static final PartitionKey KEY = PartitionKey.ofText("a");

    private static final List<String> IDS =
            List.of(
                    "{\"$oid\":\"507f1f77bcf86cd79943%s\"}",
                    "\"plain%s\"",
                    "\"a/b?%s\"",
                    "\"s:%s\"",
                    "{\"$numberDecimal\":\"1.%s\"}",
                    "{\"$date\":{\"$numberLong\":\"-1%s\"}}",
                    "{\"a\":[\"%s\",{\"$minKey\":1}]}",
                    "{\"$binary\":{\"base64\":\"%s\",\"subType\":\"04\"}}");

    /** The widths of some numbers do not show in JSON. They stay what they were. */
    private static final List<String> VALUES =
            List.of(
                    "1",
                    "2.5",
                    "123456789012345",
                    "{\"$numberLong\":\"2\"}",
                    "{\"$numberDouble\":\"3.0\"}",
                    "{\"$numberDouble\":\"1e18\"}",
                    "[{\"$numberLong\":\"2\"},{\"deep\":[{\"$numberDouble\":\"-4.0\"},5]}]",
                    "{\"$numberDecimal\":\"1.10\"}",
                    "{\"$numberDouble\":\"NaN\"}",
                    "\"x\"",
                    "null",
                    "[true,{\"$oid\":\"507f1f77bcf86cd799439011\"}]",
                    "{\"$date\":\"2026-11-17T04:30:00.125Z\"}",
                    "{\"$timestamp\":{\"t\":1,\"i\":2}}",
                    "{\"$symbol\":\"s\"}",
                    "{\"$maxKey\":1}",
                    "{\"id\":\"inner\",\"_ts\":1}");

    /** Patterns may not be written; a patch leaves them alone. */
    private static final List<String> OTHERS =
            List.of("{\"$regularExpression\":{\"pattern\":\"^a\",\"options\":\"i\"}}");

    private static final List<String> NAMES =
            List.of("b", "c", "id", "_ts", "_etag", "$id", "$$_rid", "é");

    private static final ScriptDefinition PROCEDURE =
            new ScriptDefinition(
                    ScriptDefinition.Kind.PROCEDURE,
                    "store",
                    "function (item) { __.upsertDocument(__.getSelfLink(), item); }");

    private static final ScriptDefinition TRIGGER =
            new ScriptDefinition(
                    ScriptDefinition.Kind.TRIGGER,
                    "seven",
                    """
                    function () {
                        var item = __.request.getBody();
                        item.n = 7;
                        __.request.setBody(item);
                    }""",
                    Optional.of(
                            new ScriptDefinition.Trigger(
                                    ScriptDefinition.When.PRE, TriggerOperation.ALL)));

    /** The ways in which SQL writes an item that it has read. */
    private enum Way {
        REPLACE,
        UPSERT,
        BATCH,
        BULK,
        TRIGGER,
        PROCEDURE,
        PATCH,
        PATCH_IN_BATCH;

        boolean isReplace() {
            return this == REPLACE || this == BATCH || this == TRIGGER;
        }

        boolean isPatch() {
            return this == PATCH || this == PATCH_IN_BATCH;
        }
    }

    static LongStream seeds() {
        Long only = Long.getLong("seed");
        return only != null ? LongStream.of(only) : LongStream.range(1, 3);
    }

    static LongStream manySeeds() {
        Long only = Long.getLong("seed");
        return only != null ? LongStream.of(only) : LongStream.range(3, 20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatSqlWritesBackIsWhatItRead(long seed, @TempDir Path directory) {
        run(seed, directory);
    }

    @Tag("long")
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("manySeeds")
    void whatSqlWritesBackIsWhatItReadForLonger(long seed, @TempDir Path directory) {
        run(seed, directory);
    }

    private static void run(long seed, Path directory) {
        SplittableRandom random = new SplittableRandom(seed);
        try (EngineFixture fixture = new EngineFixture(directory)) {
            ContainerRef container =
                    fixture.container(
                            "c",
                            400,
                            EngineFixture.definition("/pk").withKind(ContainerKind.MONGODB));
            create(fixture, container, PROCEDURE);
            create(fixture, container, TRIGGER);
            for (int step = 0; step < STEPS; step++) {
                new Step(fixture, container, random, step).run();
            }
        }
    }

    private static void create(
            EngineFixture fixture, ContainerRef container, ScriptDefinition script) {
        fixture.engine.resources().scripts().create(EngineFixture.context(), container, script);
    }

    private record Step(
            EngineFixture fixture, ContainerRef container, SplittableRandom random, int number) {
        void run() {
            Way way = Way.values()[random.nextInt(Way.values().length)];
            Body document = document(way);
            write(new ItemWrite.Create(document, Optional.empty()));
            Map<String, Value> read =
                    random.nextBoolean() ? pointRead(document) : queried(document);
            assertThat(read.get("id")).isEqualTo(Value.of(id(document)));

            refuseOtherId(read);
            read.put("n", Value.of(7));
            write(way, id(document), read);

            Map<String, Value> wanted = new LinkedHashMap<>(fields(document));
            wanted.put("n", Value.of(7));
            Body after = read(document).content();
            assertThat(fields(after)).as("%s of %s", way, wanted).isEqualTo(wanted);
            assertThat(List.copyOf(fields(after).keySet())).isEqualTo(List.copyOf(wanted.keySet()));
            if (way.isReplace()) {
                rename(way, document, wanted);
            }
        }

        /** A replace that gives the item another id changes nothing else. */
        private void rename(Way way, Body document, Map<String, Value> wanted) {
            Value id = Value.of("renamed" + number);
            Map<String, Value> read = pointRead(document);
            read.remove("id");
            read.put("_id", id);
            write(way, id(document), read);
            wanted.put("_id", id);
            Body renamed = bson(JsonText.write(new Value.Obj(Map.of("_id", id))));
            assertThat(fields(read(renamed).content()))
                    .as("%s renames %s", way, wanted)
                    .isEqualTo(wanted);
        }

        private Body document(Way way) {
            List<String> values = new ArrayList<>(VALUES);
            if (way.isPatch()) {
                values.addAll(OTHERS);
            }
            List<String> names = new ArrayList<>(NAMES);
            Collections.shuffle(names, new Random(random.nextLong()));
            String rest =
                    names.stream()
                            .limit(random.nextInt(NAMES.size() + 1))
                            .map(
                                    name ->
                                            "\"%s\":%s,"
                                                    .formatted(
                                                            name,
                                                            values.get(
                                                                    random.nextInt(values.size()))))
                            .collect(Collectors.joining());
            String own = IDS.get(random.nextInt(IDS.size())).formatted(1000 + number);
            return bson("{\"_id\":" + own + "," + rest + "\"pk\":\"a\",\"n\":1}");
        }

        private static Body bson(String form) {
            return new Body(
                    Encoding.BSON,
                    BodyFormat.of(Encoding.BSON).show(Body.json(Bytes.ofUtf8(form))));
        }

        private static Map<String, Value> fields(Body document) {
            return BodyFormat.of(Encoding.BSON).value(document.bytes()).properties();
        }

        private static String id(Body document) {
            return BodyFormat.of(Encoding.BSON)
                    .parse(document.bytes(), EngineFixture.definition("/pk").partitionKey())
                    .id()
                    .orElseThrow();
        }

        private ItemRef.Named item(String id) {
            return new ItemRef.Named(SqlId.parse(Encoding.BSON, id));
        }

        private Map<String, Value> pointRead(Body document) {
            return properties(answer(document).body(Encoding.JSON).orElseThrow().bytes());
        }

        private ItemAnswer answer(Body document) {
            return fixture.engine
                    .items()
                    .readItem(EngineFixture.context(), container, KEY, item(id(document)));
        }

        private Item read(Body document) {
            return answer(document).item().orElseThrow();
        }

        /** With the service's own properties, as clients send items back. */
        private Map<String, Value> queried(Body document) {
            String id = JsonText.write(Value.of(id(document)));
            List<String> rows =
                    fixture.all(
                            container,
                            new FeedScope.Everything(),
                            "SELECT * FROM c WHERE c.id = " + id,
                            10);
            assertThat(rows).hasSize(1);
            return properties(Bytes.ofUtf8(rows.getFirst()));
        }

        private static Map<String, Value> properties(Bytes json) {
            return new LinkedHashMap<>(((Value.Obj) JsonText.parse(json)).properties());
        }

        private void refuseOtherId(Map<String, Value> read) {
            String id = ((Value.Text) read.getOrDefault("id", Value.Null.NULL)).value();
            Map<String, Value> renamed = new LinkedHashMap<>(read);
            renamed.put("id", Value.of("another"));
            for (Way way : List.of(Way.REPLACE, Way.UPSERT)) {
                OrreryException refusal =
                        catchThrowableOfType(OrreryException.class, () -> write(way, id, renamed));
                assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
                assertThat(refusal.text()).contains("'id'").contains("'_id'");
            }
        }

        private void write(Way way, String id, Map<String, Value> item) {
            Body body = Body.json(JsonText.writeBytes(new Value.Obj(item)));
            ItemWrite replace =
                    new ItemWrite.Replace(item(id), Optional.of(KEY), body, Precondition.NONE);
            ItemWrite upsert = new ItemWrite.Upsert(body, Optional.of(KEY), Precondition.NONE);
            ItemWrite patch =
                    new ItemWrite.Evaluate(
                            item(id),
                            KEY,
                            EngineFixture.patch("[{\"op\":\"incr\",\"path\":\"/n\",\"value\":6}]"),
                            Precondition.NONE);
            switch (way) {
                case REPLACE -> write(replace);
                case UPSERT -> write(upsert);
                case PATCH -> write(patch);
                case TRIGGER ->
                        fixture.engine
                                .items()
                                .writeItem(
                                        EngineFixture.context(),
                                        container,
                                        replace,
                                        new TriggerNames(List.of("seven"), List.of(), false));
                case PROCEDURE ->
                        fixture.engine
                                .items()
                                .execute(
                                        EngineFixture.context(),
                                        container,
                                        KEY,
                                        new ResourceRef.Named("store"),
                                        JsonText.writeBytes(
                                                new Value.Array(List.of(new Value.Obj(item)))),
                                        false);
                case BATCH -> batch(new ItemBatch.Atomic(KEY, operations(replace)));
                case PATCH_IN_BATCH -> batch(new ItemBatch.Atomic(KEY, operations(patch)));
                case BULK -> batch(new ItemBatch.Bulk(operations(upsert, replace), true, false));
            }
        }

        private static List<BatchOperation> operations(ItemWrite... writes) {
            List<BatchOperation> operations = new ArrayList<>();
            for (ItemWrite write : writes) {
                operations.add(new BatchOperation.Write(write));
            }
            return operations;
        }

        private void write(ItemWrite write) {
            fixture.engine.items().writeItem(EngineFixture.context(), container, write);
        }

        private void batch(ItemBatch batch) {
            BatchAnswer answer =
                    fixture.engine.items().batch(EngineFixture.context(), container, batch);
            assertThat(answer.results()).hasOnlyElementsOfType(BatchAnswer.Result.Done.class);
        }
    }
}
