package orrery.gateway.api;

/**
 * The contents of a container, summed over its partitions.
 *
 * @param maxBytes what it may hold as it is cut now; an unlimited one splits before it is full
 * @param indexingProgressPercent how much of the data is indexed under the present policy
 */
public record ContainerUsage(
        long items,
        long itemBytes,
        long indexBytes,
        long maxBytes,
        int indexingProgressPercent,
        int procedures,
        int triggers,
        int functions) {}
