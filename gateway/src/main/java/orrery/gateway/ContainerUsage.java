package orrery.gateway;

/**
 * What a container holds, summed over its partitions.
 *
 * @param indexingProgressPercent how much of the data is indexed under the present policy
 */
public record ContainerUsage(
        long items, long itemBytes, long indexBytes, int indexingProgressPercent) {}
