// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Brings data in and out as files: sorted tables that are ingested, checkpoints of the whole
 * database. Start with {@link io.accordiondb.internal.transfer.BulkLoader} and {@link
 * io.accordiondb.internal.transfer.Checkpointer}.
 */
@NullMarked
package io.accordiondb.internal.transfer;

import org.jspecify.annotations.NullMarked;
