package orrery.query.evaluate;

import java.util.Optional;

/** A geometry that can be measured. Two shapes meet only in the same space. */
sealed interface Shape permits SphereShape, PlaneShape {
    /** Why it is no valid geometry; nothing below may be asked then. */
    Optional<String> fault();

    /** How many positions it was made from. */
    int size();

    /** Of polygons; zero for points and lines. */
    double area();

    double distance(Shape other);

    boolean isWithin(Shape other);

    boolean intersects(Shape other);
}
