// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Prints the contents of a database's files as {@link io.accordiondb.inspect.Inspector} reports
 * them. It changes nothing and continues behind damage. Start with {@link
 * io.accordiondb.cli.inspect.Inspection}.
 */
@NullMarked
package io.accordiondb.cli.inspect;

import org.jspecify.annotations.NullMarked;
