package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.document.ByteSink;
import orrery.document.ItemBody;
import orrery.document.edm.EdmValue;
import orrery.model.Body;
import orrery.model.FileTime;
import orrery.query.table.TableDefinition;

class EntityProperties {
    private static final FileTime TIME = FileTime.ofMillis(1_700_000_000_123L);

    @Provide
    Arbitrary<Entity> entities() {
        return EntityArbitraries.entities();
    }

    private static Entity throughJson(MetadataLevel level, Entity entity) {
        ByteSink out = new ByteSink();
        new EntityJson(level, "http://localhost", "a.T", "T", Optional.empty())
                .element(out, entity, TIME);
        return EntityInput.insert(out.toBytes());
    }

    @Property(tries = 200)
    void annotationsKeepEveryType(@ForAll("entities") Entity entity) {
        assertThat(throughJson(MetadataLevel.FULL, entity)).isEqualTo(entity);
        assertThat(throughJson(MetadataLevel.MINIMAL, entity)).isEqualTo(entity);
    }

    /** Without them, what JSON has no type for comes back as a string, and all else as it was. */
    @Property(tries = 200)
    void withoutAnnotationsTypesAreThoseOfJson(@ForAll("entities") Entity entity) {
        Map<String, EdmValue> expected = new LinkedHashMap<>(entity.properties());
        expected.replaceAll(
                (_, value) ->
                        switch (value) {
                            case EdmValue.Text _, EdmValue.Int32 _, EdmValue.Bool _ -> value;
                            case EdmValue.Real(double number) when Double.isFinite(number) -> value;
                            case EdmValue.Real(double number) ->
                                    new EdmValue.Text(Double.toString(number));
                            case EdmValue.Int64(long number) ->
                                    new EdmValue.Text(Long.toString(number));
                            case EdmValue.Moment moment ->
                                    new EdmValue.Text(TableTime.format(moment));
                            case EdmValue.Guid(var guid) -> new EdmValue.Text(guid.toString());
                            case EdmValue.Binary(var bytes) ->
                                    new EdmValue.Text(
                                            Base64.getEncoder()
                                                    .encodeToString(bytes.unsafeArray()));
                        });
        assertThat(throughJson(MetadataLevel.NONE, entity).properties()).isEqualTo(expected);
    }

    /** Nobody reads a body to see whether it is what we say of it. */
    @Property(tries = 300)
    void bodiesAreWhatWeSayOfThem(@ForAll("entities") Entity entity) {
        Body body = EntityDocument.write(entity);
        ItemBody read = ItemBody.parse(body.bytes(), TableDefinition.PARTITION_KEY);
        Body.Known.Json known = (Body.Known.Json) body.known().orElseThrow();
        assertThat(read.stored()).isEqualTo(body.bytes());
        assertThat(read.id()).contains(known.id());
        assertThat(read.partitionKey(known.definition())).isEqualTo(known.key());
    }

    @Property(tries = 200)
    void itemsKeepEveryType(@ForAll("entities") Entity entity) {
        assertThat(NaiveEntity.read(EntityDocument.write(entity).bytes())).isEqualTo(entity);
    }
}
