package orrery.query.mongo.match;

import java.util.OptionalInt;

/**
 * The answer to whether a document matches.
 *
 * @param arrayIndex of the element by which it does, in the outermost array that the filter passed;
 *     the positional operator means it. Where several conditions passed arrays, the last one tells.
 */
public record Match(boolean isMatch, OptionalInt arrayIndex) {}
