/**
 * Files that only their owner may read, and that are complete or absent whatever happens. {@link
 * orrery.storage.files.PrivateFiles} writes them; everything in a data directory that is not
 * RocksDB's own comes from there.
 */
@NullMarked
package orrery.storage.files;

import org.jspecify.annotations.NullMarked;
