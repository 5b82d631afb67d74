package orrery.query.mongo.find;

import orrery.model.Bytes;
import orrery.query.Dialect;
import orrery.query.Statement;

/** The language of {@link FindStatement}. */
public final class MongoDialect implements Dialect {
    public static final MongoDialect INSTANCE = new MongoDialect();

    static final String NAME = "mongo";
    static final int VERSION = 1;

    private MongoDialect() {}

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
        return new FindStatement(FindCodec.read(payload));
    }
}
