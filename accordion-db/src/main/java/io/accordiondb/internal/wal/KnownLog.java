// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

/**
 * A log file that the manifest says exists. Immutable.
 *
 * @param fileNumber number of the file
 * @param previousSequence the last sequence number before the file, as its first link says too
 */
public record KnownLog(long fileNumber, long previousSequence) {}
