package orrery.query.execute;

import java.util.Optional;
import orrery.model.Bytes;

/**
 * How far a page has come that looks for the first row of a query.
 *
 * @param key of the item that the row is made of, without its container; absent if no row was found
 * @param next where the search goes on; absent if a row was found, or if there is none
 */
public record FirstItem(Optional<Bytes> key, Optional<Bytes> next) {}
