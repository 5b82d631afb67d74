/**
 * The one door to the engine: what front-ends ask of it, and what it answers.
 *
 * <p>A front-end takes the parts it needs: {@link orrery.gateway.api.Items}, {@link
 * orrery.gateway.api.Resources}, {@link orrery.gateway.api.Operations}.
 */
@NullMarked
package orrery.gateway.api;

import org.jspecify.annotations.NullMarked;
