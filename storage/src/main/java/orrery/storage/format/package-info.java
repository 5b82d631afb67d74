/**
 * The bytes on disk: the keys of the four tables and the records behind them, documented in {@code
 * docs/formats/storage.md}. Every record begins with its format version; the golden tests freeze
 * what is written.
 */
@NullMarked
package orrery.storage.format;

import org.jspecify.annotations.NullMarked;
