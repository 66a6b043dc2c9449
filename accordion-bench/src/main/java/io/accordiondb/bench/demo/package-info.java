// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The demonstration: it runs the paper's write workload on the embedded database under each policy,
 * reopens the database, and verifies every row. {@code accordion demo} starts it with {@code Demo}
 * and prints its figures.
 */
@NullMarked
package io.accordiondb.bench.demo;

import org.jspecify.annotations.NullMarked;
