/**
 * The routing behind the door that {@link orrery.gateway.api} describes. It resolves names, hashes
 * keys, finds the partition, fans out over several, and retries what a client should not see.
 */
@NullMarked
package orrery.gateway;

import org.jspecify.annotations.NullMarked;
