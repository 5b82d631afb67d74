/**
 * The unmodified Java SDKs, and a user at the command line, against a server started from the
 * distribution in a process of its own. Nothing here may use a class of the engine.
 */
@NullMarked
package orrery.tests.sdk;

import org.jspecify.annotations.NullMarked;
