// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The first failure after which nothing may be written. Start with {@link
 * io.accordiondb.internal.failure.FirstFailure}.
 *
 * <p>A failed write or sync of the log or the manifest stops all writes. It is never tried again,
 * because what the device holds is unknown. Any throwable counts, from the first byte written to
 * the last state changed, on any thread. Reads continue; closing releases everything and then
 * reports that writes may be lost.
 */
@NullMarked
package io.accordiondb.internal.failure;

import org.jspecify.annotations.NullMarked;
