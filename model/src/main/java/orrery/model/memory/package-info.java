/**
 * Limits the heap that requests may take.
 *
 * <p>One {@link orrery.model.memory.MemoryBudget} for the whole process; a {@link
 * orrery.model.memory.MemoryAccount} for each request, which whoever keeps something for it takes
 * from. So a request that would be one too many is refused, and the process and all others go on.
 */
@NullMarked
package orrery.model.memory;

import org.jspecify.annotations.NullMarked;
