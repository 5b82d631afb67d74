package orrery.partition.api;

/** The replicas that may answer a read. */
public enum ReadMode {
    /** Only the leader of the set. */
    LEADER,
    /** Any replica that has applied the least LSN of the request. No replica does it yet. */
    ANY_REPLICA
}
