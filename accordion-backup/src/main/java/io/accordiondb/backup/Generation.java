// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import io.accordiondb.Checkpoint;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One backup: the database as it was at one moment.
 *
 * @param number its number in the target, counting from 1
 * @param created when the backup began, by the clock of the machine
 * @param files files of the database, with the log that was kept
 * @param bytes total bytes of these files
 * @param bytesAdded bytes of the files that the target did not have before
 * @param checkpoint the moment that it holds, by the sequence numbers and the clock of the
 *     database; null for a backup of an earlier version, which did not record it
 */
public record Generation(
    long number,
    Instant created,
    int files,
    long bytes,
    long bytesAdded,
    @Nullable Checkpoint checkpoint) {}
