package orrery.document.spatial;

import com.google.common.geometry.S2CellId;
import java.util.ArrayList;
import java.util.List;

/** Few cells that hold a region. */
final class Covering {
    private Covering() {}

    /**
     * Cells that do not overlap and hold every place of the region. All are cut in four, again and
     * again, as long as there are no more than {@code maxCells}; those inside the region are left
     * as they are.
     */
    static List<S2CellId> of(CellRegion region, int maxCells) {
        List<S2CellId> inside = new ArrayList<>();
        List<S2CellId> crossing = new ArrayList<>();
        for (S2CellId root : region.roots()) {
            sort(region, root, inside, crossing);
        }
        while (!crossing.isEmpty() && !crossing.getFirst().isLeaf()) {
            List<S2CellId> nextInside = new ArrayList<>();
            List<S2CellId> nextCrossing = new ArrayList<>();
            for (S2CellId cell : crossing) {
                for (int i = 0; i < 4; i++) {
                    sort(region, cell.child(i), nextInside, nextCrossing);
                }
            }
            if (inside.size() + nextInside.size() + nextCrossing.size() > maxCells) {
                break;
            }
            inside.addAll(nextInside);
            crossing = nextCrossing;
        }
        inside.addAll(crossing);
        return inside;
    }

    private static void sort(
            CellRegion region, S2CellId cell, List<S2CellId> inside, List<S2CellId> crossing) {
        switch (region.relate(cell)) {
            case OUTSIDE -> {}
            case CROSSING -> crossing.add(cell);
            case INSIDE -> inside.add(cell);
        }
    }
}
