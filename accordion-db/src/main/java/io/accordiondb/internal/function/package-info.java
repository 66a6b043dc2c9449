// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** Actions and computations that may fail as input and output do. */
@NullMarked
package io.accordiondb.internal.function;

import org.jspecify.annotations.NullMarked;
