// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * How far the replay of the log has come.
 *
 * @param bytesRead bytes of the log that were read
 * @param bytesTotal bytes of the log
 * @param records batches replayed
 * @param bytesDropped bytes left out, as {@link RecoveryMode} allows
 */
public record RecoveryProgress(long bytesRead, long bytesTotal, long records, long bytesDropped) {}
