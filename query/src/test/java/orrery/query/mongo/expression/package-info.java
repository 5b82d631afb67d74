@NullMarked
package orrery.query.mongo.expression;

import org.jspecify.annotations.NullMarked;
