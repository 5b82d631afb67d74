package orrery.document;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The bytes of a {@link Patch} between gateway and partition, in which operations go by their name.
 * The layout is in docs/formats/messages.md.
 */
public final class PatchCodec {
    private PatchCodec() {}

    public static Bytes encode(Patch patch) {
        return new BinaryWriter().list(patch.operations(), PatchCodec::write).toBytes();
    }

    /** Throws {@link MalformedRecordException} for bytes that are not a patch. */
    public static Patch decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        Patch patch = new Patch(in.list(PatchCodec::operation));
        in.expectEnd();
        return patch;
    }

    private static void write(BinaryWriter out, PatchOperation operation) {
        switch (operation) {
            case PatchOperation.Add(JsonPointer path, Value value) ->
                    write(out, "add", path, Optional.of(value));
            case PatchOperation.Set(JsonPointer path, Value value) ->
                    write(out, "set", path, Optional.of(value));
            case PatchOperation.Replace(JsonPointer path, Value value) ->
                    write(out, "replace", path, Optional.of(value));
            case PatchOperation.Remove(JsonPointer path) ->
                    write(out, "remove", path, Optional.empty());
            case PatchOperation.Increment(JsonPointer path, Value amount) ->
                    write(out, "incr", path, Optional.of(amount));
            case PatchOperation.Move(JsonPointer from, JsonPointer path) ->
                    write(out, "move", path, Optional.of(new Value.Text(from.toString())));
        }
    }

    /** Texts are written as values, because those keep halves of surrogate pairs. */
    private static void write(
            BinaryWriter out, String name, JsonPointer path, Optional<Value> argument) {
        out.string(name)
                .bytes(ValueCodec.encode(new Value.Text(path.toString())))
                .optional(argument, (w, value) -> w.bytes(ValueCodec.encode(value)));
    }

    private static PatchOperation operation(BinaryReader in) {
        String name = in.string();
        JsonPointer path = pointer(text(in));
        Optional<Value> argument = in.optional(r -> ValueCodec.decode(r.bytes()));
        return switch (name) {
            case "add" -> new PatchOperation.Add(path, required(argument));
            case "set" -> new PatchOperation.Set(path, required(argument));
            case "replace" -> new PatchOperation.Replace(path, required(argument));
            case "remove" -> {
                if (argument.isPresent()) {
                    throw new MalformedRecordException("a remove of a patch has an argument");
                }
                yield new PatchOperation.Remove(path);
            }
            case "incr" -> {
                if (!required(argument).isNumber()) {
                    throw new MalformedRecordException("an increment of a patch is no number");
                }
                yield new PatchOperation.Increment(path, required(argument));
            }
            case "move" -> new PatchOperation.Move(pointer(text(required(argument))), path);
            default -> throw new MalformedRecordException("unknown operation of a patch");
        };
    }

    private static Value required(Optional<Value> argument) {
        return argument.orElseThrow(
                () -> new MalformedRecordException("an operation of a patch lacks its argument"));
    }

    private static JsonPointer pointer(String text) {
        return JsonPointer.parse(text)
                .orElseThrow(() -> new MalformedRecordException("a patch has an impossible path"));
    }

    private static String text(BinaryReader in) {
        return text(ValueCodec.decode(in.bytes()));
    }

    private static String text(Value value) {
        if (value instanceof Value.Text(String text)) {
            return text;
        }
        throw new MalformedRecordException("a text of a patch is another value");
    }
}
