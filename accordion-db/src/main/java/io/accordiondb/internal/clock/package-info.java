// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The time of a database, taken from a clock that may be wrong. Start with {@link
 * io.accordiondb.internal.clock.DatabaseClock}.
 *
 * <p>Timestamps of writes never go back. Reads hide what has expired according to the clock.
 * Flushes and compactions, which drop expired cells permanently, do not trust a clock that has
 * jumped ahead until the jump has lasted for an hour ({@code JumpGuard}).
 */
@NullMarked
package io.accordiondb.internal.clock;

import org.jspecify.annotations.NullMarked;
