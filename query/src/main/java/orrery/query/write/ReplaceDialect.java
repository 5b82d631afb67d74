package orrery.query.write;

import java.util.Optional;
import orrery.document.NumberWidths;
import orrery.model.Bytes;
import orrery.model.Item;

/**
 * Puts a whole document in the place of an item. The document came in an encoding that does not
 * show the widths of numbers, so those that have not changed keep the width they have ({@link
 * NumberWidths}). The payload is the document in the encoding of the container.
 */
public final class ReplaceDialect extends WriteDialect {
    static final ReplaceDialect INSTANCE = new ReplaceDialect();

    private ReplaceDialect() {
        super(3, 1);
    }

    /**
     * @param document in the encoding of the container
     */
    public static Evaluation evaluation(Bytes document) {
        return INSTANCE.of(document);
    }

    @Override
    public ItemUpdate read(int version, Bytes payload, EvaluationPlace place) {
        return new ItemUpdate() {
            @Override
            public Optional<Bytes> bodyAfter(Optional<Item> present) {
                return Optional.of(
                        present.map(item -> NumberWidths.kept(place.format(), item.body(), payload))
                                .orElse(payload));
            }

            @Override
            public boolean isReplacement() {
                return true;
            }
        };
    }
}
