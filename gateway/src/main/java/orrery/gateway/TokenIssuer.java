package orrery.gateway;

import java.time.Duration;
import orrery.model.resource.Permission;

/** Makes the tokens that permissions are answered with. */
interface TokenIssuer {
    /** Returns a token in the form of the service, {@code type=resource&ver=1.0&sig=...;}. */
    String issue(Permission permission, Duration validity);
}
