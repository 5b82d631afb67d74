package orrery.document;

import orrery.document.spatial.SpatialIndex;

/**
 * The numbers that decide which terms an item has. They are part of what is stored: entries of an
 * item are deleted by making its terms again. So a plan has them from the feature level of its set.
 *
 * @param textBytes encoded bytes of a string that a term keeps
 * @param cells that cover a geometry at most
 */
public record TermRules(int textBytes, int cells) {
    public static final TermRules FIRST =
            new TermRules(IndexValue.MAX_TEXT_BYTES, SpatialIndex.FIRST_MAX_CELLS);
}
