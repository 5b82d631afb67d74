package orrery.query.mongo;

import java.util.Arrays;
import java.util.Optional;
import orrery.document.BsonValue;
import orrery.document.Value;

/** The types of BSON by the numbers and names that clients write. */
public enum BsonType {
    DOUBLE(1, "double"),
    STRING(2, "string"),
    OBJECT(3, "object"),
    ARRAY(4, "array"),
    BINARY(5, "binData"),
    UNDEFINED(6, "undefined"),
    OBJECT_ID(7, "objectId"),
    BOOL(8, "bool"),
    DATE(9, "date"),
    NULL(10, "null"),
    REGEX(11, "regex"),
    POINTER(12, "dbPointer"),
    CODE(13, "javascript"),
    SYMBOL(14, "symbol"),
    SCOPED_CODE(15, "javascriptWithScope"),
    INT(16, "int"),
    TIMESTAMP(17, "timestamp"),
    LONG(18, "long"),
    DECIMAL(19, "decimal"),
    MIN_KEY(-1, "minKey"),
    MAX_KEY(127, "maxKey");

    private final int number;
    private final String alias;

    BsonType(int number, String alias) {
        this.number = number;
        this.alias = alias;
    }

    public int number() {
        return number;
    }

    public String alias() {
        return alias;
    }

    public static Optional<BsonType> ofNumber(long number) {
        return Arrays.stream(values()).filter(each -> each.number == number).findFirst();
    }

    public static Optional<BsonType> ofAlias(String alias) {
        return Arrays.stream(values()).filter(each -> each.alias.equals(alias)).findFirst();
    }

    /** Returns the type in which a value is stored; an absent one has none and is undefined. */
    public static BsonType of(Value value) {
        return switch (value) {
            case Value.Undefined _, BsonValue.Undef _ -> UNDEFINED;
            case Value.Null _ -> NULL;
            case Value.Bool _ -> BOOL;
            case Value.Int(long number) -> number == (int) number ? INT : LONG;
            case Value.Real _ -> DOUBLE;
            case Value.Text _ -> STRING;
            case Value.Array _ -> ARRAY;
            case Value.Obj _ -> OBJECT;
            case BsonValue.MinKey _ -> MIN_KEY;
            case BsonValue.MaxKey _ -> MAX_KEY;
            case BsonValue.Int64 _ -> LONG;
            case BsonValue.Binary _ -> BINARY;
            case BsonValue.ObjectId _ -> OBJECT_ID;
            case BsonValue.DateTime _ -> DATE;
            case BsonValue.Timestamp _ -> TIMESTAMP;
            case BsonValue.Regex _ -> REGEX;
            case BsonValue.Code _ -> CODE;
            case BsonValue.ScopedCode _ -> SCOPED_CODE;
            case BsonValue.Symbol _ -> SYMBOL;
            case BsonValue.Pointer _ -> POINTER;
            case BsonValue.Decimal _ -> DECIMAL;
        };
    }
}
