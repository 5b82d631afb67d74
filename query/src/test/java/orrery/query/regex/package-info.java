/** Tests of regular expressions. */
@NullMarked
package orrery.query.regex;

import org.jspecify.annotations.NullMarked;
