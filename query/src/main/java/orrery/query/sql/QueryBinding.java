package orrery.query.sql;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.dialect.Program;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Evaluator;
import orrery.query.syntax.Ordering;
import orrery.query.syntax.Query;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Source;

/**
 * Tells which queries a continuation is good for.
 *
 * <p>Where results come row by row it is a position: any query goes on from it that makes rows of
 * items in the same way and sorts them alike, whatever it filters and selects. Groups and distinct
 * results depend on all rows before them, so theirs is good for the same query and parameters only.
 * A position leads through the partitions of certain keys, so it is good for these keys only, and
 * one over all keys for some of them.
 */
public final class QueryBinding {
    private QueryBinding() {}

    /**
     * @param payload the query and its parameters
     * @param evaluator has its parameters
     * @param keys names the partition keys in which its results lie
     */
    public static Bytes of(
            Query query,
            Bytes payload,
            Map<String, Value> parameters,
            Evaluator evaluator,
            String keys) {
        MessageDigest digest = sha256();
        add(digest, keys);
        if (query.distinct() || query.isGrouped() || query.derived().isPresent()) {
            add(digest, "query");
            digest.update(payload.unsafeArray());
        } else {
            add(digest, "rows");
            if (!isPlain(query.from())) {
                // An item has several rows then, and the position counts them.
                add(digest, query.from().toString());
                add(digest, parameters);
            }
            add(digest, query.top().isPresent() || query.window().isPresent() ? "counted" : "");
            for (Ordering.Item item : query.orderBy().map(Ordering::items).orElse(List.of())) {
                add(digest, item.descending() ? "descending" : "ascending");
                add(digest, name(item.value(), query.from(), evaluator));
            }
        }
        return Bytes.wrap(Arrays.copyOf(digest.digest(), Program.BINDING_BYTES));
    }

    /** Returns true if every item is one row, so that only its alias can differ. */
    private static boolean isPlain(List<Source> from) {
        return from.size() == 1
                && from.getFirst()
                        instanceof Source.Bound(_, Source.Collection.Single(Scalar value))
                && value instanceof Scalar.Item;
    }

    /** A path without the alias of a plain source, and with the values of its parameters. */
    private static String name(Scalar path, List<Source> from, Evaluator evaluator) {
        return switch (path) {
            case Scalar.Property(Scalar base, String property) ->
                    name(base, from, evaluator) + "." + Value.of(property);
            case Scalar.Index(Scalar base, Scalar index) when index.isConstant() ->
                    name(base, from, evaluator) + "." + evaluator.evaluate(index, Bindings.empty());
            case Scalar.Reference(String alias)
                    when isPlain(from) && from.getFirst().alias().equals(Optional.of(alias)) ->
                    "";
            default -> path.toString();
        };
    }

    private static void add(MessageDigest digest, Map<String, Value> parameters) {
        new TreeMap<>(parameters)
                .forEach(
                        (name, value) -> {
                            add(digest, name);
                            add(digest, value.isDefined() ? JsonText.write(value) : "");
                        });
    }

    private static void add(MessageDigest digest, String part) {
        digest.update(part.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
