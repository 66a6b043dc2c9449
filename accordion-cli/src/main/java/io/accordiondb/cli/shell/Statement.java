// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import java.util.List;

/**
 * A command with its arguments, as it was written. Immutable.
 *
 * @param name of the command
 * @param arguments in their order; options that stand without braces come last
 * @param line on which it begins in its text, from 1 on
 */
record Statement(String name, List<Value> arguments, int line) {}
