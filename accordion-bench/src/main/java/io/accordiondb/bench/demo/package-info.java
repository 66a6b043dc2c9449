// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The demonstration: the paper's write workload on the real store, and the proof that it is all
 * there.
 */
@NullMarked
package io.accordiondb.bench.demo;

import org.jspecify.annotations.NullMarked;
