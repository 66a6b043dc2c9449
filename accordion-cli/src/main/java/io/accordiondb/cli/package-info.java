// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The {@code accordion} command line: one class for each command, which parses its options and
 * calls the public API, the benchmarks or the other packages of this module. Start with {@link
 * io.accordiondb.cli.Main}; {@code Failure} defines messages and exit codes.
 */
@NullMarked
package io.accordiondb.cli;

import org.jspecify.annotations.NullMarked;
