package orrery.query.mongo.aggregate;

import orrery.model.Bytes;
import orrery.query.Dialect;
import orrery.query.Statement;

/** The language of {@link PipelineStatement}. */
public final class PipelineDialect implements Dialect {
    public static final PipelineDialect INSTANCE = new PipelineDialect();

    static final String NAME = "mongo-pipeline";
    static final int VERSION = 1;

    private PipelineDialect() {}

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
        return PipelineStatement.read(payload);
    }
}
