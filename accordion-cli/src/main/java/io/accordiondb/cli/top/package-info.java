// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Reads the figures of a live process through JMX and shows them on a terminal, for {@code
 * accordion top}. It does not open the files of the process. Start reading at {@link
 * io.accordiondb.cli.top.LiveProcess}.
 */
@NullMarked
package io.accordiondb.cli.top;

import org.jspecify.annotations.NullMarked;
