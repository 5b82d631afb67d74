package orrery.frontend.gremlin.traversal.graph;

import java.security.SecureRandom;
import java.util.UUID;

/** Makes ids for elements and values that come without one. Thread-safe. */
public final class GraphIds {
    private static final long VERSION_4 = 0x4000L;

    private final SecureRandom random;

    public GraphIds(SecureRandom random) {
        this.random = random;
    }

    String next() {
        return new UUID(
                        (random.nextLong() & ~0xF000L) | VERSION_4,
                        (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | Long.MIN_VALUE)
                .toString();
    }
}
