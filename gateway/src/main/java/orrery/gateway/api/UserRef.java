package orrery.gateway.api;

/** The user that a request is about, or that owns the permission it is about. */
public record UserRef(ResourceRef database, ResourceRef user) {}
