/** What requests prove themselves with: the account's keys. Pure values, no protocol. */
@NullMarked
package orrery.model.security;

import org.jspecify.annotations.NullMarked;
