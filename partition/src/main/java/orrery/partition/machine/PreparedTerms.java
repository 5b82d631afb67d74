package orrery.partition.machine;

import orrery.document.IndexTerms;

/**
 * Index terms of a body, extracted before the command reached the log.
 *
 * @param policyVersion the policy they were extracted under
 * @param seconds the {@code _ts} they were extracted for
 */
public record PreparedTerms(int policyVersion, long seconds, IndexTerms terms) {}
