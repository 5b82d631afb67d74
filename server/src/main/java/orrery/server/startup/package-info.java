/** The start-up cache: made in the background by a training run, so that later starts are quick. */
@NullMarked
package orrery.server.startup;

import org.jspecify.annotations.NullMarked;
