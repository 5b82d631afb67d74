package orrery.server.client.transfer;

import orrery.model.Bytes;

/**
 * A piece of a file that should be an item.
 *
 * @param number counts rows from 1
 * @param line on which it begins, from 1
 * @param text as it stands there; empty where it was too large to keep
 * @param isTooLarge true if it has more bytes than any item
 */
public record Row(long number, long line, Bytes text, boolean isTooLarge) {}
