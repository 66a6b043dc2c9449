// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What runs in the background: when to flush, to compact, to truncate the log, to split and merge
 * regions, and when writers must wait for that.
 *
 * <p>Start with {@link io.accordiondb.internal.maintenance.Housekeeper} for what is done
 * periodically, and with {@link io.accordiondb.internal.maintenance.FlushScheduler} for what writes
 * make due. This package does not know who reads and writes.
 */
@NullMarked
package io.accordiondb.internal.maintenance;

import org.jspecify.annotations.NullMarked;
