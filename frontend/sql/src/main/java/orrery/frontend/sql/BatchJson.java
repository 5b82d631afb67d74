package orrery.frontend.sql;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import orrery.document.ByteSink;
import orrery.document.JsonSlices;
import orrery.document.JsonText;
import orrery.document.KeyHeader;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.frontend.rest.ChargeText;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;

/** Batches as most SDKs write them: a JSON array, answered by one as long. */
final class BatchJson {
    private static final Map<String, BatchLine.Type> TYPES =
            Stream.of(BatchLine.Type.values())
                    .collect(
                            Collectors.toMap(
                                    type -> type.name().toLowerCase(Locale.ROOT), type -> type));

    private static final Set<String> MEMBERS =
            Set.of(
                    "operationType",
                    "id",
                    "partitionKey",
                    "ifMatch",
                    "ifNoneMatch",
                    "minimalReturnPreference",
                    "resourceBody");

    private static final Bytes NULL = Bytes.ofUtf8("null");

    private BatchJson() {}

    static List<BatchLine> parse(Bytes body) {
        return JsonSlices.objects(body).stream().map(BatchJson::line).toList();
    }

    private static BatchLine line(Map<String, Bytes> members) {
        Set<String> unknown = new TreeSet<>(members.keySet());
        unknown.removeAll(MEMBERS);
        if (!unknown.isEmpty()) {
            throw refused(
                    "An operation of the batch has members that are not known here: "
                            + String.join(", ", unknown)
                            + ".");
        }
        return new BatchLine(
                type(members),
                text(members, "id"),
                find(members, "partitionKey").map(BatchJson::key),
                text(members, "ifMatch"),
                text(members, "ifNoneMatch"),
                isMinimal(members),
                find(members, "resourceBody"));
    }

    private static BatchLine.Type type(Map<String, Bytes> members) {
        String name = text(members, "operationType").orElse("");
        BatchLine.Type type = TYPES.get(name.toLowerCase(Locale.ROOT));
        if (type == null) {
            throw refused(
                    "The operationType of an operation of a batch is one of Create, Read, Replace,"
                            + " Upsert, Patch and Delete, not '"
                            + name
                            + "'.");
        }
        return type;
    }

    /** A text that holds the JSON of the header for single items; or that JSON itself. */
    private static PartitionKey key(Bytes json) {
        return KeyHeader.parse(
                JsonText.parse(json) instanceof Value.Text(String text) ? text : json.toUtf8());
    }

    private static boolean isMinimal(Map<String, Bytes> members) {
        Optional<Bytes> minimal = find(members, "minimalReturnPreference");
        if (minimal.isEmpty()) {
            return false;
        }
        if (JsonText.parse(minimal.get()) instanceof Value.Bool(boolean truth)) {
            return truth;
        }
        throw refused("The member 'minimalReturnPreference' must be true or false.");
    }

    private static Optional<String> text(Map<String, Bytes> members, String name) {
        return find(members, name)
                .map(
                        json -> {
                            if (JsonText.parse(json) instanceof Value.Text(String text)) {
                                return text;
                            }
                            throw refused("The member '" + name + "' must be a string.");
                        });
    }

    /** A member that is {@code null} counts as absent: SDKs write their unset fields so. */
    private static Optional<Bytes> find(Map<String, Bytes> members, String name) {
        Bytes value = members.get(name);
        return value == null || value.equals(NULL) ? Optional.empty() : Optional.of(value);
    }

    private static OrreryException refused(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }

    static Bytes write(List<BatchLineResult> results, SystemProperties system) {
        ByteSink out = new ByteSink(BatchLineResult.sizeOf(results));
        out.put('[');
        for (int i = 0; i < results.size(); i++) {
            if (i > 0) {
                out.put(',');
            }
            write(out, results.get(i), system);
        }
        return out.put(']').toBytes();
    }

    private static void write(ByteSink out, BatchLineResult result, SystemProperties system) {
        out.putAscii("{\"statusCode\":").putAscii(Integer.toString(result.status()));
        out.putAscii(",\"subStatusCode\":").putAscii(Integer.toString(result.substatus()));
        out.putAscii(",\"requestCharge\":").putAscii(ChargeText.of(result.charge()));
        result.etag()
                .ifPresent(
                        etag -> {
                            out.putAscii(",\"eTag\":");
                            JsonText.write(Value.of(etag), out);
                        });
        if (result.retryAfterMillis().isPresent()) {
            out.putAscii(",\"retryAfterMilliseconds\":")
                    .putAscii(Long.toString(result.retryAfterMillis().getAsLong()));
        }
        result.message()
                .ifPresent(
                        message -> {
                            out.putAscii(",\"message\":");
                            JsonText.write(Value.of(message), out);
                        });
        result.item()
                .ifPresent(
                        item -> {
                            out.putAscii(",\"resourceBody\":");
                            system.splice(out, item, OptionalLong.empty());
                        });
        out.put('}');
    }
}
