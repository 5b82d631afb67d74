package orrery.query.write;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import orrery.document.BodyFormat;
import orrery.document.Value;
import orrery.document.edm.EntityLimits;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.Item;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Puts the top-level properties of a document over those of the item; what the document does not
 * name stays. Where there is no item, the document becomes it. The payload is the document with its
 * encoding.
 */
public final class MergeDialect extends WriteDialect {
    static final MergeDialect INSTANCE = new MergeDialect();

    private MergeDialect() {
        super(2, 1);
    }

    /**
     * @param document in any encoding; the leader puts it into that of the container
     */
    public static Evaluation evaluation(Body document) {
        return INSTANCE.of(
                new BinaryWriter()
                        .enumeration(document.encoding())
                        .bytes(document.bytes())
                        .toBytes());
    }

    @Override
    public ItemUpdate read(int version, Bytes payload, EvaluationPlace place) {
        BinaryReader in = new BinaryReader(payload);
        Body sent = new Body(in.enumeration(Encoding.class), in.bytes());
        in.expectEnd();
        BodyFormat format = place.format();
        Bytes document =
                format.parse(
                                sent,
                                place.definition().kind().limits(),
                                place.definition().partitionKey())
                        .stored();
        boolean isTable = place.definition().kind() == ContainerKind.TABLE;
        return present ->
                Optional.of(
                        present.map(item -> merged(format, item, document, isTable))
                                .orElse(document));
    }

    /**
     * @param isTable adds the limits of entities: only here is known what becomes of one
     */
    private static Bytes merged(BodyFormat format, Item item, Bytes document, boolean isTable) {
        Map<String, Value> properties = new LinkedHashMap<>(format.value(item.body()).properties());
        properties.putAll(format.value(document).properties());
        if (isTable) {
            EntityLimits.check(properties);
        }
        return format.write(new Value.Obj(properties));
    }
}
