package orrery.gateway.api;

/** Everything a front-end can ask of the engine, in three parts. */
public interface Engine extends Items, Resources, Operations {}
