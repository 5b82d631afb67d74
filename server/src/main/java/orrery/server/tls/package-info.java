/**
 * The certificates that clients meet: a CA made once per data directory, leaves that renew
 * themselves under it, or a team's own files.
 *
 * <p>Start at {@link orrery.server.tls.ServerCertificate}. What must stay true: the CA never
 * changes once made, because developers have imported it; a file is either complete or absent;
 * private keys are readable by their owner only.
 */
@NullMarked
package orrery.server.tls;

import org.jspecify.annotations.NullMarked;
