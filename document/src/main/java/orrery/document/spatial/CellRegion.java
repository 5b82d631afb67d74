package orrery.document.spatial;

import com.google.common.geometry.S2CellId;
import java.util.List;

/** A part of a space, as cells see it. What is said of a cell may err towards CROSSING. */
interface CellRegion {
    enum Relation {
        OUTSIDE,
        CROSSING,
        /** All of the cell belongs to the region. */
        INSIDE
    }

    /** The cells that hold the whole space together. */
    List<S2CellId> roots();

    Relation relate(S2CellId cell);
}
