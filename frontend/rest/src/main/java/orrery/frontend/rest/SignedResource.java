package orrery.frontend.rest;

import java.util.List;

/**
 * The texts that a client may have signed for a resource. Clients disagree in places, so there may
 * be several, the likeliest first.
 */
public interface SignedResource {
    /** The types of the resource, such as {@code docs}; an empty one for the account itself. */
    List<String> signedTypes();

    /** The links to the resource, or to the parent of a feed. */
    List<String> signedLinks();
}
