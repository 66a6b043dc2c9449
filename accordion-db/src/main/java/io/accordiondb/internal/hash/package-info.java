// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * A hash of bytes for tables in memory. It may change between versions of this software and never
 * reaches a file. Batches use it for the hashes of rows that detect conflicts, and the column cache
 * for its index.
 */
@NullMarked
package io.accordiondb.internal.hash;

import org.jspecify.annotations.NullMarked;
