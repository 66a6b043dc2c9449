// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Functional interfaces whose methods may throw {@link java.io.IOException}. Code that reads or
 * writes files passes them where the JDK's interfaces, which allow no checked exception, would make
 * it wrap and unwrap the failure. The package knows no other one.
 */
@NullMarked
package io.accordiondb.internal.function;

import org.jspecify.annotations.NullMarked;
