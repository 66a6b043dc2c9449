// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The shell: statements in the vocabulary of HBase's shell, run on an open database, from a
 * terminal or a script. Uses the public interface of the database alone. Start with {@link
 * io.accordiondb.cli.shell.Shell}; {@link io.accordiondb.cli.shell.StatementParser} has the
 * grammar.
 */
@NullMarked
package io.accordiondb.cli.shell;

import org.jspecify.annotations.NullMarked;
