package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The numbers that decide which terms an item has. They are part of what is stored: entries of an
 * item are deleted by making its terms again, and found by the terms that a query makes. So a plan
 * has them from the feature level under which its definition was set, and readers ask the plan.
 *
 * @param textBytes encoded bytes of a string that a term keeps; what is longer must be compared
 *     with the item
 * @param cells that cover a geometry at most
 */
public record TermRules(int textBytes, int cells) {
    public static final TermRules FIRST = new TermRules(256, 8);

    public TermRules {
        if (textBytes < 1 || cells < 1) {
            throw new IllegalArgumentException("a term keeps at least one byte, and one cell");
        }
    }

    public void write(BinaryWriter out) {
        out.u32(textBytes).u32(cells);
    }

    public static TermRules read(BinaryReader in) {
        return in.checked(r -> new TermRules(r.u32(), r.u32()));
    }
}
