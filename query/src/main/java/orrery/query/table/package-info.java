/**
 * The query language of tables: a filter over typed properties, with results in the order of
 * PartitionKey and RowKey. Its text is parsed in the table front-end.
 *
 * <p>Start at {@link orrery.query.table.TableFilter}.
 */
@NullMarked
package orrery.query.table;

import org.jspecify.annotations.NullMarked;
