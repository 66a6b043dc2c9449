// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

/**
 * A log file. Immutable.
 *
 * @param number of the file
 * @param file name below the folder of the database
 * @param bytes length, with zeros with which it may be filled
 * @param isLive whether the manifest says that it is part of the log: opening the database replays
 *     it
 */
public record LogFileOutline(long number, String file, long bytes, boolean isLive) {}
