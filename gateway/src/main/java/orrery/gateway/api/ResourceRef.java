package orrery.gateway.api;

import orrery.model.ResourceId;

/** The way in which a request names a database or a container: by its name, or by its rid. */
public sealed interface ResourceRef {
    record Named(String name) implements ResourceRef {}

    record Identified(ResourceId rid) implements ResourceRef {}
}
