package orrery.query.table;

import orrery.model.Bytes;
import orrery.query.Dialect;
import orrery.query.Statement;

/** The language of {@link TableStatement}. */
public final class TableDialect implements Dialect {
    public static final TableDialect INSTANCE = new TableDialect();

    static final String NAME = "table";
    static final int VERSION = 1;

    private TableDialect() {}

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
        return FilterCodec.read(payload);
    }
}
