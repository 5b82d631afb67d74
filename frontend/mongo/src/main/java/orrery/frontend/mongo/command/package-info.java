/**
 * The commands of MongoDB: each is a function from its arguments to a document, through the door.
 * Nothing here knows how messages travel.
 */
@NullMarked
package orrery.frontend.mongo.command;

import org.jspecify.annotations.NullMarked;
