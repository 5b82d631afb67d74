/**
 * Orrery in other people's tests. {@link orrery.junit.Orrery} is a server in this process on free
 * ports that keeps nothing; {@link orrery.junit.OrreryExtension} hands one to tests of JUnit and
 * empties it between them; {@link orrery.junit.OrreryClock} is the time that its data goes by.
 */
@NullMarked
package orrery.junit;

import org.jspecify.annotations.NullMarked;
