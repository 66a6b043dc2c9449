// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.time.Instant;

/**
 * One backup: the database as it was at one moment.
 *
 * @param number counts up from 1 in the target
 * @param created when the backup began, by the clock of the machine
 * @param files files of the database
 * @param bytes of all these files
 * @param bytesAdded of those files that the target did not have before
 */
public record Generation(long number, Instant created, int files, long bytes, long bytesAdded) {}
