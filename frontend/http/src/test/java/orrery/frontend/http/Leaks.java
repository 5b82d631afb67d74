package orrery.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Watches every buffer of this JVM. Test classes call {@link #watch} before they touch Netty. */
final class Leaks {
    private static final List<String> FOUND = new CopyOnWriteArrayList<>();

    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(
                new ResourceLeakDetectorFactory() {
                    @Override
                    @SuppressWarnings("deprecation") // the interface asks for it
                    public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                            Class<T> resource, int samplingInterval, long maxActive) {
                        return new Recorder<>(resource, samplingInterval);
                    }
                });
    }

    private Leaks() {}

    static void watch() {
        // Loading this class is what matters.
    }

    /** Returns true if a leak has been found, which is then forgotten. */
    static boolean takeOne() {
        collect();
        return !FOUND.isEmpty() && FOUND.removeFirst() != null;
    }

    static void assertNone() {
        collect();
        assertThat(FOUND).as("leaked buffers").isEmpty();
    }

    private static void collect() {
        // A leak is found when the collector has taken a buffer and the next one is allocated.
        for (int i = 0; i < 3; i++) {
            System.gc();
            PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
            UnpooledByteBufAllocator.DEFAULT.directBuffer(16).release();
            ByteBufAllocator.DEFAULT.buffer(16).release();
        }
    }

    private static final class Recorder<T> extends ResourceLeakDetector<T> {
        Recorder(Class<?> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String resource, String records) {
            FOUND.add(resource + records);
        }

        @Override
        protected void reportUntracedLeak(String resource) {
            FOUND.add(resource);
        }
    }
}
