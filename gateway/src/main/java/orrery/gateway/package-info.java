/**
 * The one door to the engine, and the routing behind it.
 *
 * <p>Front-ends call {@link orrery.gateway.Engine} and nothing else. The implementation resolves
 * names, hashes keys, finds the partition, fans out over several, and retries what a client should
 * not see.
 */
@NullMarked
package orrery.gateway;

import org.jspecify.annotations.NullMarked;
