// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Prints what {@link io.accordiondb.inspect.Inspector} shows of the files of a database. Start with
 * {@link io.accordiondb.cli.inspect.Inspection}.
 */
@NullMarked
package io.accordiondb.cli.inspect;

import org.jspecify.annotations.NullMarked;
