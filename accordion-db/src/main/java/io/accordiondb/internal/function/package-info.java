// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** Functional interfaces whose methods may throw {@link java.io.IOException}. */
@NullMarked
package io.accordiondb.internal.function;

import org.jspecify.annotations.NullMarked;
