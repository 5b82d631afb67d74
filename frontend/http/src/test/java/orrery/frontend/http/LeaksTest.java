package orrery.frontend.http;

import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;

/** The other tests believe {@link Leaks}; this one checks that it sees. */
class LeaksTest {
    static {
        Leaks.watch();
    }

    @Test
    void findsALeak() {
        loseABuffer();
        Eventually.until("found", Leaks::takeOne);
    }

    private static void loseABuffer() {
        var _ = ByteBufAllocator.DEFAULT.buffer(100).writeInt(1);
    }
}
