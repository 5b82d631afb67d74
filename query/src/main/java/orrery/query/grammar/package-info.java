/**
 * The parser that ANTLR generates from {@code CosmosSql.g4}, and its base class. Only {@code
 * orrery.query.syntax} may look in here.
 */
@NullMarked
package orrery.query.grammar;

import org.jspecify.annotations.NullMarked;
