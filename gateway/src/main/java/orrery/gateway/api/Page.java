package orrery.gateway.api;

import java.util.List;
import java.util.Optional;

/** A page of resources; the continuation is there only when more follow. */
public record Page<T>(List<T> resources, Optional<String> continuation) {
    public Page {
        resources = List.copyOf(resources);
    }
}
