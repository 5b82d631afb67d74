/** Tests of the query cache; parsing itself is covered by the query cases. */
@NullMarked
package orrery.query.syntax;

import org.jspecify.annotations.NullMarked;
