@NullMarked
package orrery.query.mongo.aggregate;

import org.jspecify.annotations.NullMarked;
