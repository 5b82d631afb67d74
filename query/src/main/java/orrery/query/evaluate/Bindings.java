package orrery.query.evaluate;

import org.jspecify.annotations.Nullable;
import orrery.document.Value;

/**
 * One row: the item it came from and what each source bound to its alias. Immutable; a source adds
 * its own binding in front of those it found.
 */
public final class Bindings {
    /** The row of a query without FROM. */
    public static final Bindings EMPTY = of(Value.Undefined.UNDEFINED);

    private final Value item;
    private final @Nullable Bindings rest;
    private final String alias;
    private final Value value;

    private Bindings(Value item, @Nullable Bindings rest, String alias, Value value) {
        this.item = item;
        this.rest = rest;
        this.alias = alias;
        this.value = value;
    }

    /** A row in which no alias is bound yet. */
    public static Bindings of(Value item) {
        return new Bindings(item, null, "", Value.Undefined.UNDEFINED);
    }

    public Bindings with(String newAlias, Value newValue) {
        return new Bindings(item, this, newAlias, newValue);
    }

    Value item() {
        return item;
    }

    /** The innermost binding of that alias. */
    Value get(String wanted) {
        // A query has eleven sources at most, so walking is cheaper than hashing.
        for (Bindings row = this; row != null; row = row.rest) {
            if (row.alias.equals(wanted)) {
                return row.value;
            }
        }
        throw new IllegalStateException("the parser let an unknown alias pass");
    }
}
