// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Measures the memory store by itself, without log, files or database: {@code MemStoreBench} adds
 * prepared cells, empties the store as a disk flush would, and reads. It uses {@code
 * accordion-memstore} only.
 */
@NullMarked
package io.accordiondb.bench.memstore;

import org.jspecify.annotations.NullMarked;
