// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Which cells may be dropped, and which a reader sees: versions, times to live, delete markers, and
 * what readers still need.
 *
 * <p>The same rules apply to a read, an in-memory compaction, a flush and a compaction of files, so
 * they are here once. What a reader sees is exactly what a compaction may not drop: the filters of
 * both share their counting and their delete markers. A delete marker hides what was written before
 * it, never what is written after it, whatever the timestamps; so a delete followed by a put in the
 * same millisecond leaves the put.
 *
 * <p>The sources of a store are not ordered by sequence number: an ingested file is newer than
 * markers that are still in memory, and a slow writer adds to a newer segment than writers with
 * higher numbers. So no compaction may assume that its input is an unbroken part of the history.
 * {@link io.accordiondb.retention.UnseenHistory} describes the sources that a compaction does not
 * read. Cells that a marker in one of them may separate do not count as versions against each
 * other, and a delete marker is dropped only when it is older than every cell that the compaction
 * does not read.
 *
 * <p>A put whose own time to live has passed acts as a delete marker of its column. Before that, it
 * does not count as a version against a cell that was written later with a lower timestamp, because
 * that cell becomes visible when the put expires.
 *
 * <p>This package knows cells and nothing else.
 */
@NullMarked
package io.accordiondb.retention;

import org.jspecify.annotations.NullMarked;
