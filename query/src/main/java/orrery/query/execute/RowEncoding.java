package orrery.query.execute;

import orrery.document.BsonCodec;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Encoding;

/** The form of the rows of a page. */
public enum RowEncoding {
    /** Each row is a JSON text. */
    JSON,
    /** Each row is a BSON document. */
    BSON,
    /** Each row is the state of a group, in the form of its language. */
    GROUP_STATE;

    static RowEncoding of(PreparedQuery query) {
        return query.isPart() && query.answer().isGrouped() ? GROUP_STATE : ofResults(query);
    }

    static RowEncoding ofResults(PreparedQuery query) {
        return of(query.program().encoding());
    }

    public static RowEncoding of(Encoding results) {
        return switch (results) {
            case JSON -> JSON;
            case BSON -> BSON;
        };
    }

    /** Returns the encoding of each row. */
    public Encoding ofRows() {
        return switch (this) {
            case JSON -> Encoding.JSON;
            case BSON -> Encoding.BSON;
            case GROUP_STATE -> throw new IllegalStateException("a state has no such encoding");
        };
    }

    /** Writes a result. A result in BSON is an object. */
    public Bytes write(Value result) {
        return switch (this) {
            case JSON -> JsonText.writeBytes(result);
            case BSON -> BsonCodec.write((Value.Obj) result);
            case GROUP_STATE -> throw new IllegalStateException("a result is not a state");
        };
    }

    /** Reads a result. */
    public Value read(Bytes row) {
        return switch (this) {
            case JSON -> JsonText.parse(row);
            case BSON -> BsonCodec.read(row);
            case GROUP_STATE -> throw new IllegalStateException("a state is not a result");
        };
    }
}
