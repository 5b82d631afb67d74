/**
 * Data to try things on: {@link orrery.server.client.sample.Sample} says what there is, one class
 * for each makes its items from a seed, and {@link orrery.server.client.sample.SampleCommand}
 * creates and fills the containers. Everything is made up; names of food groups and airports are
 * common knowledge.
 */
@NullMarked
package orrery.server.client.sample;

import org.jspecify.annotations.NullMarked;
