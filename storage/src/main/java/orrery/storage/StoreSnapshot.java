package orrery.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The data as of one moment. Short-lived: it keeps old versions from being dropped. */
public interface StoreSnapshot extends StoreView, AutoCloseable {
    /** The values of several keys, each at the place of its key; cheaper than one by one. */
    List<byte @Nullable []> getAll(Table table, List<byte[]> keys);

    @Override
    void close();
}
