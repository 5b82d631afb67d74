package orrery.query;

import java.util.List;
import java.util.Map;
import orrery.document.BsonValue;
import orrery.document.JsonForm;
import orrery.document.Value;

/**
 * The size of a query. The work to get it ready, before it looks at any item, is in proportion.
 *
 * @param characters of its text, and of its parameters' names and texts
 * @param nodes of its syntax tree, and values of its parameters
 */
public record QuerySize(long characters, long nodes) {
    /** In characters. Texts of people are shorter; getting one ready takes a millisecond or two. */
    static final int SHORT = 4096;

    /** Characters that a value of a parameter counts as, when it is told whether it is short. */
    private static final int CHARACTERS_PER_VALUE = 4;

    /** This size, with parameters besides. */
    public QuerySize with(Map<String, Value> parameters) {
        Counter counter = new Counter(Long.MAX_VALUE);
        counter.count(parameters);
        return new QuerySize(characters + counter.characters, nodes + counter.values);
    }

    /** True if the caller can make it ready while others wait for the thread. */
    static boolean isShort(QueryRequest request) {
        return isShort(request.query().length(), request.parameters());
    }

    /** The same for a query of which only this is known. */
    public static boolean isShort(long characters, Map<String, Value> parameters) {
        Counter counter = new Counter(SHORT - characters);
        counter.count(parameters);
        return !counter.isTooMuch();
    }

    private static final class Counter {
        private final long limit;
        private long characters;
        private long values;

        Counter(long limit) {
            this.limit = limit;
        }

        boolean isTooMuch() {
            return characters + values * CHARACTERS_PER_VALUE > limit;
        }

        void count(Map<String, Value> members) {
            for (Map.Entry<String, Value> member : members.entrySet()) {
                if (isTooMuch()) {
                    return;
                }
                characters += member.getKey().length();
                count(member.getValue());
            }
        }

        private void count(Value value) {
            values++;
            switch (value) {
                case Value.Text(String text) -> characters += text.length();
                case Value.Array(List<Value> elements) -> {
                    for (Value element : elements) {
                        if (isTooMuch()) {
                            return;
                        }
                        count(element);
                    }
                }
                case Value.Obj(Map<String, Value> properties) -> count(properties);
                case BsonValue bson -> count(JsonForm.of(bson));
                case Value.Undefined _, Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> {}
            }
        }
    }
}
