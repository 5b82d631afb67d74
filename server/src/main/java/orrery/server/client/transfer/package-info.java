/**
 * Items in and out of files.
 *
 * <p>{@link orrery.server.client.transfer.RowReader} cuts a file into rows, {@link
 * orrery.server.client.transfer.ItemMaker} makes an item of a row and {@link
 * orrery.server.client.transfer.Importer} writes items in bulks, several at a time. {@link
 * orrery.server.client.transfer.Exporter} is the way back.
 */
@NullMarked
package orrery.server.client.transfer;

import org.jspecify.annotations.NullMarked;
