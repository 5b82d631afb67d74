/**
 * The typed values of tables, and the form in which items hold them. The table front-end makes them
 * from requests; the query language of tables compares them in partitions.
 *
 * <p>Start at {@link orrery.document.edm.EdmValue}.
 */
@NullMarked
package orrery.document.edm;

import org.jspecify.annotations.NullMarked;
