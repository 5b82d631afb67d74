package orrery.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;

/** Whatever the bytes, they are a query or they are refused as damaged. */
final class HostilePayloadProperties {
    private static final List<Bytes> PAYLOADS =
            List.of(
                    payload("SELECT * FROM c"),
                    payload(
                            "SELECT DISTINCT TOP 5 c.a, {b: [c.b, 'x']} AS o FROM c JOIN t IN c.ts"
                                    + " WHERE c.x BETWEEN 1 AND @p AND t.y IN (1, 2.5, null)"
                                    + " OR c.s LIKE 'a!%' ESCAPE '!' ORDER BY c.a DESC"),
                    payload(
                            "SELECT c.g, COUNT(1) AS n, SUM(c.v) FROM c"
                                    + " WHERE EXISTS(SELECT VALUE t FROM t IN c.t WHERE udf.f(t))"
                                    + " GROUP BY c.g"),
                    payload(
                            "SELECT VALUE c.a ?? (c.b ? -c.d : ~c.e) || UPPER(c.f) FROM c"
                                    + " OFFSET 1 LIMIT @p"));

    private static Bytes payload(String text) {
        return SqlStatement.parse(text, Map.of("@p", Value.of(3), "@q", Value.of("y")))
                .encoded()
                .payload();
    }

    private static boolean isRead(byte[] payload) {
        try {
            SqlStatement read = SqlStatement.read(Bytes.wrap(payload));
            // Whatever was read can be written, and is the same when it is read again.
            assertThat(SqlStatement.read(read.encoded().payload()).query()).isEqualTo(read.query());
            return true;
        } catch (MalformedRecordException refused) {
            return false;
        }
    }

    @Property(tries = 2000)
    void changedBytes(
            @ForAll @IntRange(max = 3) int which,
            @ForAll @Size(min = 1, max = 4) List<@IntRange(max = 10_000) Integer> places,
            @ForAll byte value) {
        byte[] payload = PAYLOADS.get(which).unsafeArray().clone();
        for (int place : places) {
            payload[place % payload.length] = value;
        }
        isRead(payload);
    }

    @Property(tries = 500)
    void cutBytes(
            @ForAll @IntRange(max = 3) int which, @ForAll @IntRange(max = 10_000) int length) {
        Bytes payload = PAYLOADS.get(which);
        int kept = length % payload.length();
        assertThat(isRead(Bytes.copyOf(payload.unsafeArray(), 0, kept).unsafeArray())).isFalse();
    }

    @Property(tries = 1000)
    void anyBytes(@ForAll @Size(max = 200) byte[] bytes) {
        isRead(bytes);
    }

    /** Lists inside of each other that all claim to be as long as what is left. */
    @Property(tries = 10)
    void claimedLengthsTakeNoRoom(@ForAll @IntRange(min = 1, max = 400) int levels) {
        // With room for what they claim, 400 lists of half a million would take a gigabyte.
        int length = 500_000;
        byte[] tree = new byte[length];
        tree[3] = TreeWriter.BARE;
        int at = 4;
        for (int i = 0; i < levels; i++) {
            tree[at++] = (byte) NodeKind.ARRAY.number();
            int left = length - at - 10;
            tree[at++] = (byte) (left | 0x80);
            tree[at++] = (byte) (left >>> 7 | 0x80);
            tree[at++] = (byte) (left >>> 14);
        }
        assertThat(isTree(tree)).isFalse();
    }

    private static boolean isTree(byte[] tree) {
        try {
            TreeReader.read(Bytes.wrap(tree));
            return true;
        } catch (MalformedRecordException refused) {
            return false;
        }
    }
}
