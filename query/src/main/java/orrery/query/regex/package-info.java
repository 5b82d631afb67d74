/**
 * Regular expressions that no text and no pattern can make run away: linear where that is possible,
 * and within a limit otherwise. Start at {@link orrery.query.regex.RegexPattern}.
 */
@NullMarked
package orrery.query.regex;

import org.jspecify.annotations.NullMarked;
