package orrery.storage;

/** The data as of one moment. Short-lived: it keeps old versions from being dropped. */
public interface StoreSnapshot extends StoreView, AutoCloseable {
    @Override
    void close();
}
