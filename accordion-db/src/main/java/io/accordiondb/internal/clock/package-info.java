// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The time of a database, taken from a clock that may be wrong. Start with {@link
 * io.accordiondb.internal.clock.DatabaseClock}.
 */
@NullMarked
package io.accordiondb.internal.clock;

import org.jspecify.annotations.NullMarked;
