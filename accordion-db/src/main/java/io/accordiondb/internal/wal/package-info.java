// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The write-ahead log: files of records, appended to, replayed when a database is opened, and
 * deleted from the oldest on when nothing needs them. What a record holds is for others to know.
 *
 * <p>{@link io.accordiondb.internal.wal.WriteAheadLog} writes, {@link
 * io.accordiondb.internal.wal.LogReplay} reads, as {@link
 * io.accordiondb.internal.wal.RecoveryStrategy} says for each recovery mode, and {@link
 * io.accordiondb.internal.wal.LogLink} says how one file is tied to the one before.
 */
@NullMarked
package io.accordiondb.internal.wal;

import org.jspecify.annotations.NullMarked;
