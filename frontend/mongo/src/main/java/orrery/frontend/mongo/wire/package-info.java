/** The wire protocol of MongoDB: frames, messages, compression. It knows no command. */
@NullMarked
package orrery.frontend.mongo.wire;

import org.jspecify.annotations.NullMarked;
