package orrery.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A whole reply. */
public record Reply(int status, List<Field> fields, String body) {
    public record Field(String name, String value) {}

    public Reply {
        fields = List.copyOf(fields);
    }

    /** From the bytes of a whole reply. */
    public static Reply parse(byte[] bytes) {
        return parse(bytes, ReplyScanner.headLength(bytes, bytes.length), bytes.length);
    }

    /** Returns the bytes that {@link #parse} reads. */
    public byte[] toBytes() {
        StringBuilder text = new StringBuilder("HTTP/1.1 ").append(status).append("\r\n");
        fields.forEach(f -> text.append(f.name()).append(": ").append(f.value()).append("\r\n"));
        return text.append("\r\n").append(body).toString().getBytes(StandardCharsets.UTF_8);
    }

    static Reply parse(byte[] bytes, int headLength, int length) {
        String head = new String(bytes, 0, headLength, StandardCharsets.ISO_8859_1);
        List<Field> fields = new ArrayList<>();
        for (String line : head.split("\r\n", -1)) {
            int colon = line.indexOf(": ");
            if (colon > 0) {
                fields.add(new Field(line.substring(0, colon), line.substring(colon + 2)));
            }
        }
        return new Reply(
                Integer.parseInt(head.substring(9, 12)),
                fields,
                new String(bytes, headLength, length - headLength, StandardCharsets.UTF_8));
    }
}
