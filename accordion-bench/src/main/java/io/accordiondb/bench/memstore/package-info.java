// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** Measures the memory store by itself. */
@NullMarked
package io.accordiondb.bench.memstore;

import org.jspecify.annotations.NullMarked;
