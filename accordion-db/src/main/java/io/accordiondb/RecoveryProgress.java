// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * The progress of the replay of the log.
 *
 * @param bytesRead bytes of the log that were read
 * @param bytesTotal bytes of the log
 * @param records batches replayed
 * @param bytesDropped bytes left out, as {@link RecoveryMode} allows
 */
public record RecoveryProgress(long bytesRead, long bytesTotal, long records, long bytesDropped) {}
