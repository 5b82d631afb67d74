/** How containers share what there is too little of to go round. */
@NullMarked
package orrery.model.sharing;

import org.jspecify.annotations.NullMarked;
