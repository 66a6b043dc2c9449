// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The write-ahead log: files of records, which are appended to, replayed when a database is opened,
 * and deleted from the oldest on when nothing needs them. {@code internal.commit} appends batches,
 * {@code internal.engine} replays them, and {@code internal.feed} follows the files. This package
 * does not know what a record holds.
 *
 * <p>{@link io.accordiondb.internal.wal.WriteAheadLog} writes the log. {@link
 * io.accordiondb.internal.wal.LogReplay} reads it by the {@link
 * io.accordiondb.internal.wal.RecoveryStrategy} of the recovery mode. {@link
 * io.accordiondb.internal.wal.LogLink} ties each file to the one before it.
 */
@NullMarked
package io.accordiondb.internal.wal;

import org.jspecify.annotations.NullMarked;
