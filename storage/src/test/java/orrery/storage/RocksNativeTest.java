package orrery.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

class RocksNativeTest {
    @Test
    void loadsFromTheJarWhenNoDirectoryIsGiven() {
        assertThat(System.getProperty(RocksNative.DIRECTORY_PROPERTY)).isNull();
        RocksNative.load();
        RocksNative.load();
        assertThat(RocksDB.rocksdbVersion().getMajor()).isPositive();
    }
}
