// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** Objects that are used again, so that reads allocate little. This package knows nothing else. */
@NullMarked
package io.accordiondb.internal.pool;

import org.jspecify.annotations.NullMarked;
