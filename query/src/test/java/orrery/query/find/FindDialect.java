package orrery.query.find;

import orrery.model.Bytes;
import orrery.query.Dialect;
import orrery.query.Statement;

/** The language of {@link FindQuery}. */
public final class FindDialect implements Dialect {
    public static final FindDialect INSTANCE = new FindDialect();

    static final String NAME = "find";
    static final int VERSION = 1;

    private FindDialect() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int version() {
        return VERSION;
    }

    @Override
    public Statement read(Bytes payload) {
        return FindQuery.read(payload);
    }
}
