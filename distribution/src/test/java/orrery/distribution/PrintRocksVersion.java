package orrery.distribution;

import org.rocksdb.RocksDB;
import orrery.storage.RocksNative;

/** Prints the version of RocksDB, which only its native library knows. */
final class PrintRocksVersion {
    private PrintRocksVersion() {}

    public static void main(String[] arguments) {
        RocksNative.load();
        System.out.println(RocksDB.rocksdbVersion());
    }
}
