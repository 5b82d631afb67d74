/**
 * The audit log: what was changed in the account besides items, and who was refused.
 *
 * <p>{@link orrery.server.audit.AuditLog} takes an {@link orrery.server.audit.AuditEvent} from any
 * API and never waits. A thread of its own writes the lines to {@link
 * orrery.server.audit.AuditFile}s, whose size and number are bounded.
 */
@NullMarked
package orrery.server.audit;

import org.jspecify.annotations.NullMarked;
