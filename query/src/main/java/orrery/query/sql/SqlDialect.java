package orrery.query.sql;

import orrery.model.Bytes;
import orrery.query.Dialect;
import orrery.query.Statement;

/** SQL as a language that partitions run. */
public final class SqlDialect implements Dialect {
    public static final SqlDialect INSTANCE = new SqlDialect();

    static final String NAME = "sql";
    static final int VERSION = 1;

    private SqlDialect() {}

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
        return SqlStatement.read(payload);
    }
}
