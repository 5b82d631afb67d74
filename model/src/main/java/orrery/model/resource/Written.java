package orrery.model.resource;

/**
 * A resource after an upsert.
 *
 * @param isNew false where there was one, which it has replaced
 */
public record Written<T>(T resource, boolean isNew) {}
