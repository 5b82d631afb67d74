package orrery.document.spatial;

/** Numbers of cells from one to another, both inclusive and without a sign. */
public record CellRange(long first, long last) {}
