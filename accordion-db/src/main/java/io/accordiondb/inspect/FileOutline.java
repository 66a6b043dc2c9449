// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

/**
 * A sorted table of a store as the manifest describes it. Immutable.
 *
 * @param number identity, which never changes
 * @param file name below the folder of the database
 * @param table name of the table
 * @param region identity of the region
 * @param family name of the family
 * @param level 0, or the level that a leveled compaction has given to it
 * @param bytes length of the file; of a shared one, about the bytes that this region sees
 * @param minSequence lowest sequence number in it
 * @param maxSequence highest sequence number in it
 * @param isShared whether the region sees a part of a file that others may see too, as after a
 *     split, or a file that was ingested
 * @param isThere whether the folder has the file
 */
public record FileOutline(
    long number,
    String file,
    String table,
    long region,
    String family,
    int level,
    long bytes,
    long minSequence,
    long maxSequence,
    boolean isShared,
    boolean isThere) {}
