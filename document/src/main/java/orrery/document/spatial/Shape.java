package orrery.document.spatial;

import java.util.Optional;
import orrery.model.ContainerDefinition.Geospatial;

/** A figure that can be measured. Two shapes meet only in the same space. */
public sealed interface Shape permits SphereShape, PlaneShape {
    static Shape of(Figure figure, Geospatial space) {
        return switch (space) {
            case GEOGRAPHY -> new SphereShape(figure);
            case GEOMETRY -> new PlaneShape(figure);
        };
    }

    Geospatial space();

    /** Why it is no valid geometry; nothing below may be asked then. */
    Optional<String> fault();

    /** Returns the number of positions it was made from. */
    int size();

    /** Returns the area of polygons; zero for points and lines. */
    double area();

    double distance(Shape other);

    boolean isWithin(Shape other);

    boolean intersects(Shape other);
}
