/**
 * Scripts that let shells complete the command line. picocli writes the one for bash and zsh; those
 * for fish and PowerShell are written here from the same model.
 */
@NullMarked
package orrery.server.completion;

import org.jspecify.annotations.NullMarked;
