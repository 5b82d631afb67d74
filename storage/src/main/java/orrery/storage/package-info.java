/**
 * One replica's files, in RocksDB.
 *
 * <p>{@link orrery.storage.RocksNative} loads the native library. Nothing here knows a protocol or
 * a query.
 */
@NullMarked
package orrery.storage;

import org.jspecify.annotations.NullMarked;
