package orrery.frontend.table.batch;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

class BatchRequestProperties {
    private static final byte[] WHOLE =
            BatchBodies.javaScript(
                            """
                            POST http://h/People HTTP/1.1
                            accept: application/json

                            {"A":1}""",
                            """
                            DELETE http://h/People(PartitionKey='p',RowKey='r') HTTP/1.1
                            if-match: *

                            """)
                    .getBytes(StandardCharsets.UTF_8);

    /** Damaged bytes are read or refused, and nothing else comes of them. */
    @Property
    void damagedBytesAreReadOrRefused(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] bytes = WHOLE.clone();
        for (int i = random.nextInt(8); i >= 0; i--) {
            int at = random.nextInt(bytes.length);
            int other = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 ->
                        bytes[at] =
                                "\r\n-: ;=\""
                                        .getBytes(StandardCharsets.US_ASCII)[random.nextInt(8)];
                case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                default ->
                        System.arraycopy(
                                bytes,
                                Math.min(at, other),
                                bytes,
                                Math.max(at, other),
                                Math.min(20, bytes.length - Math.max(at, other)));
            }
        }
        try {
            BatchRequest.read(BatchBodies.request(BatchBodies.TYPE, bytes));
        } catch (OrreryException refused) {
            if (refused.code() != ErrorCode.BAD_REQUEST) {
                throw refused;
            }
        }
    }

    /** Types of every kind are understood or refused. */
    @Property
    void anyContentTypeIsUnderstoodOrRefused(@ForAll String tail) {
        try {
            Multipart.boundary("multipart/mixed" + tail);
        } catch (OrreryException refused) {
            if (refused.code() != ErrorCode.BAD_REQUEST) {
                throw refused;
            }
        }
    }
}
