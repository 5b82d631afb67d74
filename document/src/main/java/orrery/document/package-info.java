/**
 * Items from the inside: one value model over their encodings, the keys and index terms found in
 * them, and the changes a patch makes to them.
 *
 * <p>Start at {@link orrery.document.Value} (what a property can hold) and {@link
 * orrery.document.BodyFormat} (what can be asked of a body, in JSON or BSON). A write goes through
 * {@link orrery.document.ItemBody} and {@link orrery.document.IndexPlan}, a read through {@link
 * orrery.document.SystemProperties}; neither builds a tree. {@link orrery.document.IndexValue} and
 * {@link orrery.document.IndexPathCodec} are stored formats: golden bytes in the tests and
 * docs/formats/index.md hold them still.
 *
 * <p>Whatever bytes a client sends, only {@link orrery.model.OrreryException} leaves this package.
 */
@NullMarked
package orrery.document;

import org.jspecify.annotations.NullMarked;
