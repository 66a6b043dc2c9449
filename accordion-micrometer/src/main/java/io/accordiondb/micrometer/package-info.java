// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Publishes the statistics of a database as meters of Micrometer. Start with {@link
 * io.accordiondb.micrometer.AccordionMetrics}.
 *
 * <p>This package uses the public interface of the database alone.
 */
@NullMarked
package io.accordiondb.micrometer;

import org.jspecify.annotations.NullMarked;
