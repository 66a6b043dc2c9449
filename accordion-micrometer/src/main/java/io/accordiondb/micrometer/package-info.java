// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Meters of Micrometer for a database: {@link io.accordiondb.micrometer.AccordionMetrics}.
 *
 * <p>This package uses the public interface of the database alone.
 */
@NullMarked
package io.accordiondb.micrometer;

import org.jspecify.annotations.NullMarked;
