/** Says who a client is: SCRAM with the keys of the account as passwords. */
@NullMarked
package orrery.frontend.mongo.auth;

import org.jspecify.annotations.NullMarked;
