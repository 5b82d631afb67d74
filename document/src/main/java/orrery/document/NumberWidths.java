package orrery.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.Encoding;

/**
 * Gives a document that came in JSON the widths of numbers that JSON does not show. An integer
 * takes the width of the stored number at the same path, if both look the same in JSON. Elements of
 * arrays are compared by their place. Whoever means another width writes its form, such as {@code
 * {"$numberDouble":"3.0"}}.
 */
public final class NumberWidths {
    private NumberWidths() {}

    /**
     * The same for bodies. In JSON there are no widths.
     *
     * @param format of both
     */
    public static Bytes kept(BodyFormat format, Bytes stored, Bytes sent) {
        if (format.encoding() == Encoding.JSON) {
            return sent;
        }
        Value.Obj document = format.value(sent);
        Value.Obj kept = kept(format.value(stored), document);
        return kept.equals(document) ? sent : format.write(kept);
    }

    /**
     * @param stored the version that is replaced
     * @param sent the document that replaces it, with the widths that are guessed from JSON
     */
    static Value.Obj kept(Value.Obj stored, Value.Obj sent) {
        Map<String, Value> properties = new LinkedHashMap<>();
        sent.properties()
                .forEach(
                        (name, value) ->
                                properties.put(name, kept(stored.properties().get(name), value)));
        return new Value.Obj(properties);
    }

    private static Value kept(@Nullable Value stored, Value sent) {
        return switch (sent) {
            case Value.Int number -> stored != null && isShownAs(stored, number) ? stored : number;
            case Value.Obj object -> stored instanceof Value.Obj old ? kept(old, object) : object;
            case Value.Array(List<Value> elements) ->
                    stored instanceof Value.Array(List<Value> old)
                            ? new Value.Array(kept(old, elements))
                            : sent;
            // A fraction is a double in any case, and the rest only a form says.
            case Value.Real _, BsonValue _ -> sent;
            case Value.Undefined _, Value.Null _, Value.Bool _, Value.Text _ -> sent;
        };
    }

    private static List<Value> kept(List<Value> stored, List<Value> sent) {
        List<Value> elements = new ArrayList<>(sent.size());
        for (int i = 0; i < sent.size(); i++) {
            elements.add(kept(i < stored.size() ? stored.get(i) : null, sent.get(i)));
        }
        return elements;
    }

    private static boolean isShownAs(Value stored, Value.Int sent) {
        return (stored instanceof Value.Real || stored instanceof BsonValue.Int64)
                && JsonForm.of(stored).equals(sent);
    }
}
