/**
 * The words every other module speaks: keys, ranges, ids, tokens, definitions, errors.
 *
 * <p>Start at {@link orrery.model.ItemKey} (what identifies an item), {@link
 * orrery.model.EffectiveKey} (where its key lies in the hash space, computed by {@link
 * orrery.model.EffectiveKeys}) and {@link orrery.model.ErrorCode} (everything that can go wrong for
 * a client). Nothing here does I/O and nothing here depends on anything but the JDK.
 */
@NullMarked
package orrery.model;

import org.jspecify.annotations.NullMarked;
