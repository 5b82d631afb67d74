/** The parser of filters over entities, which is generated from {@code TableFilter.g4}. */
@NullMarked
package orrery.frontend.table.grammar;

import org.jspecify.annotations.NullMarked;
