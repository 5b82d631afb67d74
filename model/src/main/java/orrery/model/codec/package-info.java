/**
 * The byte-level building blocks of every stored record, log entry and message between nodes.
 *
 * <p>A record type writes itself with {@link orrery.model.codec.BinaryWriter} and reads itself back
 * with {@link orrery.model.codec.BinaryReader}; a reader never trusts a length it has read.
 */
@NullMarked
package orrery.model.codec;

import org.jspecify.annotations.NullMarked;
