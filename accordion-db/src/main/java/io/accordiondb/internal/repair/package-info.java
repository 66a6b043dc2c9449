// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Checks and repairs a closed database. Start with {@link io.accordiondb.internal.repair.Verifier}
 * and {@link io.accordiondb.internal.repair.Repairer}.
 */
@NullMarked
package io.accordiondb.internal.repair;

import org.jspecify.annotations.NullMarked;
