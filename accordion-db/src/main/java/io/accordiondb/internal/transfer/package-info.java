// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Moves data in and out of a database as files: ingested sorted tables, checkpoints of the whole
 * database, copies of a folder that another process has open. Start with {@link
 * io.accordiondb.internal.transfer.BulkLoader} and {@link
 * io.accordiondb.internal.transfer.Checkpointer}.
 *
 * <p>Ingested files become views under one sequence number. A checkpoint takes a version of the
 * file set, seals the log, and links the files of both.
 */
@NullMarked
package io.accordiondb.internal.transfer;

import org.jspecify.annotations.NullMarked;
