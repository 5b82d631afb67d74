/** Tests of SQL as a language of the engine. */
@NullMarked
package orrery.query.sql;

import org.jspecify.annotations.NullMarked;
