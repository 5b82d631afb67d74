@NullMarked
package orrery.query.mongo.update;

import org.jspecify.annotations.NullMarked;
