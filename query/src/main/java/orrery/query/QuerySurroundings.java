package orrery.query;

import java.time.InstantSource;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.UserFunctions;

/**
 * The things outside of a query that its meaning depends on.
 *
 * @param clock for queries that ask for the time
 * @param space what the coordinates of the container's geometries mean
 * @param functions those of the container's users
 * @param computed properties of the container
 */
public record QuerySurroundings(
        InstantSource clock,
        Geospatial space,
        UserFunctions functions,
        ComputedProperties computed) {}
