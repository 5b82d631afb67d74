package orrery.query.table;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.document.ValueCodec;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** The payload of a {@link TableStatement}, as docs/formats/messages.md says. */
final class FilterCodec {
    private static final int COMPARISON = 1;
    private static final int AND = 2;
    private static final int OR = 3;
    private static final int NOT = 4;
    private static final int FLAG = 5;
    private static final int TRUE = 6;
    private static final int FALSE = 7;

    private FilterCodec() {}

    static Bytes write(TableStatement statement) {
        BinaryWriter out = new BinaryWriter(64);
        write(out, statement.filter());
        return out.optional(statement.select(), (w, names) -> w.list(names, ValueCodec::writeText))
                .toBytes();
    }

    private static void write(BinaryWriter out, TableFilter filter) {
        switch (filter) {
            case TableFilter.Comparison(
                            String property,
                            TableFilter.Operator operator,
                            EdmValue constant) -> {
                ValueCodec.writeText(out.u8(COMPARISON), property);
                out.string(operator.name()).u8(constant.type().tag());
                ValueCodec.write(out, constant.content());
            }
            case TableFilter.And(List<TableFilter> all) ->
                    out.u8(AND).list(all, FilterCodec::write);
            case TableFilter.Or(List<TableFilter> any) -> out.u8(OR).list(any, FilterCodec::write);
            case TableFilter.Not(TableFilter inner) -> write(out.u8(NOT), inner);
            case TableFilter.Flag(String property) -> ValueCodec.writeText(out.u8(FLAG), property);
            case TableFilter.Constant(boolean value) -> out.u8(value ? TRUE : FALSE);
        }
    }

    /** Throws MalformedRecordException for bytes that no statement has written. */
    static TableStatement read(Bytes payload) {
        BinaryReader in = new BinaryReader(payload);
        TableFilter filter = read(in, TableStatement.MAX_DEPTH);
        Optional<List<String>> select = in.optional(r -> r.list(ValueCodec::readText));
        in.expectEnd();
        try {
            return new TableStatement(filter, select);
        } catch (OrreryException tooLarge) {
            throw new MalformedRecordException("the filter is too large", tooLarge);
        }
    }

    private static TableFilter read(BinaryReader in, int levelsLeft) {
        if (levelsLeft == 0) {
            throw new MalformedRecordException("the filter is nested too deeply");
        }
        return switch (in.u8()) {
            case COMPARISON ->
                    new TableFilter.Comparison(ValueCodec.readText(in), operator(in), constant(in));
            case AND -> new TableFilter.And(operands(in, levelsLeft));
            case OR -> new TableFilter.Or(operands(in, levelsLeft));
            case NOT -> new TableFilter.Not(read(in, levelsLeft - 1));
            case FLAG -> new TableFilter.Flag(ValueCodec.readText(in));
            case TRUE -> new TableFilter.Constant(true);
            case FALSE -> new TableFilter.Constant(false);
            default -> throw new MalformedRecordException("unknown kind of condition");
        };
    }

    private static List<TableFilter> operands(BinaryReader in, int levelsLeft) {
        List<TableFilter> operands = in.list(r -> read(r, levelsLeft - 1));
        if (operands.size() < 2) {
            throw new MalformedRecordException("an operator lacks an operand");
        }
        return operands;
    }

    private static TableFilter.Operator operator(BinaryReader in) {
        String name = in.string();
        try {
            return TableFilter.Operator.valueOf(name);
        } catch (IllegalArgumentException unknown) {
            throw new MalformedRecordException("unknown operator '" + name + "'", unknown);
        }
    }

    private static EdmValue constant(BinaryReader in) {
        Map<String, Value> stored = new LinkedHashMap<>();
        stored.put(EdmValue.TYPE, Value.of(in.u8()));
        stored.put(EdmValue.CONTENT, ValueCodec.read(in));
        return EdmValue.ofStored(new Value.Obj(stored))
                .orElseThrow(() -> new MalformedRecordException("a constant has no such value"));
    }
}
