// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** The {@code accordion} command line. Start with {@link io.accordiondb.cli.Main}. */
@NullMarked
package io.accordiondb.cli;

import org.jspecify.annotations.NullMarked;
