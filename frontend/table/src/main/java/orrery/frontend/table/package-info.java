/**
 * The Table API: OData over HTTP for tables and their entities. It turns bytes into calls at the
 * gateway's door and answers into bytes, and does nothing else.
 */
@NullMarked
package orrery.frontend.table;

import org.jspecify.annotations.NullMarked;
