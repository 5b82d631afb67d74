package orrery.model;

import java.nio.charset.StandardCharsets;

/**
 * The rules that an API has for ids which are texts. They are the front-end's, and go with the
 * container's kind because ids also arrive where no front-end looks: inside of bodies, and from
 * scripts. The engine itself asks of a key no more than {@link RowKey} does.
 */
public enum IdRules {
    /** The ids of items in SQL. */
    SQL {
        private static final int MAX_BYTES = 1023;

        @Override
        public RowKey rowKey(String id) {
            int bytes = id.getBytes(StandardCharsets.UTF_8).length;
            if (bytes < 1 || bytes > MAX_BYTES) {
                throw new OrreryException(
                        ErrorCode.BAD_REQUEST,
                        "The input name is invalid. Ensure to provide a unique non-empty string"
                                + " less than '1024' characters. In UTF-8 the id of an item may"
                                + " have 1023 bytes and this one has "
                                + bytes
                                + ".");
            }
            if (id.indexOf('\\') >= 0) {
                throw new OrreryException(
                        ErrorCode.BAD_REQUEST,
                        "Id contains illegal chars. The id of an item has no backslash.");
            }
            return RowKey.ofText(id);
        }
    },

    /** Every text that a row key can hold, the empty one too. */
    ANY {
        @Override
        public RowKey rowKey(String id) {
            return RowKey.ofText(id);
        }
    };

    /** The key of the item that has this id. Throws BAD_REQUEST if the rules forbid the id. */
    public abstract RowKey rowKey(String id);
}
