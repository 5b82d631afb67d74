/** The resources of an account as the catalog keeps them and the front-ends show them. */
@NullMarked
package orrery.model.resource;

import org.jspecify.annotations.NullMarked;
