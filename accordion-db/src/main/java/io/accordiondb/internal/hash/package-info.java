// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * A hash of bytes for tables in memory. It is not stable between processes and never reaches a
 * file.
 */
@NullMarked
package io.accordiondb.internal.hash;

import org.jspecify.annotations.NullMarked;
