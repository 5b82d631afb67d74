package orrery.frontend.mongo.command;

import orrery.document.BsonValue;
import orrery.document.Value;

/** The names that servers have for types in their messages. */
final class TypeNames {
    private TypeNames() {}

    static String of(Value value) {
        return switch (value) {
            case Value.Undefined _ -> "missing";
            case Value.Null _ -> "null";
            case Value.Bool _ -> "bool";
            case Value.Real _ -> "double";
            case Value.Int(long number) -> number == (int) number ? "int" : "long";
            case Value.Text _ -> "string";
            case Value.Array _ -> "array";
            case Value.Obj _ -> "object";
            case BsonValue.MinKey _ -> "minKey";
            case BsonValue.MaxKey _ -> "maxKey";
            case BsonValue.Undef _ -> "undefined";
            case BsonValue.Int64 _ -> "long";
            case BsonValue.Decimal _ -> "decimal";
            case BsonValue.Binary _ -> "binData";
            case BsonValue.ObjectId _ -> "objectId";
            case BsonValue.DateTime _ -> "date";
            case BsonValue.Timestamp _ -> "timestamp";
            case BsonValue.Regex _ -> "regex";
            case BsonValue.Code _ -> "javascript";
            case BsonValue.ScopedCode _ -> "javascriptWithScope";
            case BsonValue.Symbol _ -> "symbol";
            case BsonValue.Pointer _ -> "dbPointer";
        };
    }
}
