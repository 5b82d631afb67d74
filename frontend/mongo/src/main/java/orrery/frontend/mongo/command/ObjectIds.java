package orrery.frontend.mongo.command;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import orrery.document.BsonValue;
import orrery.model.Bytes;

/** Makes ids for documents that come without one: the time, a number of this process, a count. */
final class ObjectIds {
    private static final int PROCESS_BYTES = 5;

    private final byte[] process = new byte[PROCESS_BYTES];
    private final AtomicInteger count;
    private final InstantSource clock;

    ObjectIds(SecureRandom random, InstantSource clock) {
        random.nextBytes(process);
        this.count = new AtomicInteger(random.nextInt());
        this.clock = clock;
    }

    BsonValue.ObjectId next() {
        byte[] id = new byte[BsonValue.ObjectId.LENGTH];
        int seconds = (int) (clock.millis() / 1000);
        int number = count.incrementAndGet();
        for (int i = 0; i < Integer.BYTES; i++) {
            id[i] = (byte) (seconds >>> (24 - 8 * i));
        }
        System.arraycopy(process, 0, id, Integer.BYTES, PROCESS_BYTES);
        for (int i = 0; i < 3; i++) {
            id[9 + i] = (byte) (number >>> (16 - 8 * i));
        }
        return new BsonValue.ObjectId(Bytes.wrap(id));
    }
}
