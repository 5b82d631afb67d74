/**
 * Shapes on the globe or on a plane: what they measure, and the cells that hold them. A {@link
 * orrery.document.spatial.Figure} is what an item says, a {@link orrery.document.spatial.Shape}
 * what can be made of it, and {@link orrery.document.spatial.SpatialIndex} says under which cells
 * it is found.
 *
 * <p>Cells are stored. They are computed by additions, multiplications, roots and {@link
 * java.lang.StrictMath} alone, so that every replica finds the same ones for an item.
 */
@NullMarked
package orrery.document.spatial;

import org.jspecify.annotations.NullMarked;
