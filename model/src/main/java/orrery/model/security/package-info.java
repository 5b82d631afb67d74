/** The account's keys, with which requests prove their origin. Pure values, no protocol. */
@NullMarked
package orrery.model.security;

import org.jspecify.annotations.NullMarked;
