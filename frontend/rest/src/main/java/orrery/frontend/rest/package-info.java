/**
 * The parts that REST APIs share over HTTP: which API answers a path, who signed a request, JSON
 * bodies on their way in and out. It knows no API, and no front-end imports another one.
 *
 * <p>Start at {@link orrery.frontend.rest.HttpRoot}.
 */
@NullMarked
package orrery.frontend.rest;

import org.jspecify.annotations.NullMarked;
