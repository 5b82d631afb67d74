/** What is remembered of queries; parsing itself is covered by the query cases. */
@NullMarked
package orrery.query.syntax;

import org.jspecify.annotations.NullMarked;
