// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** Hashes for tables in memory. */
@NullMarked
package io.accordiondb.internal.hash;

import org.jspecify.annotations.NullMarked;
