// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Tables cut into regions, regions into stores: where the cells of one family of one range of rows
 * are, in memory and in files, and how they move from one to the other.
 *
 * <p>Start with {@link io.accordiondb.internal.region.Store}. A flush first writes the snapshot
 * that an earlier, failed flush has left. Then it takes a snapshot of memory while writers wait for
 * an instant, so that the snapshot holds exactly the cells numbered before. It writes the cells
 * that readers can still need to a sorted table, while another thread forces the log up to the
 * snapshot to the device. It records the table and the flushed sequence number in the manifest as
 * one edit, and replaces the memory by the file.
 *
 * <p>Range tombstones never enter a segment or a sorted table. Those in memory are part of the list
 * of segments and move to the manifest with a flush; those on disk are part of the set of files. So
 * a reader gets them together with the cells that they delete. A tombstone is dropped when no file
 * has older cells of its rows, or when later ones that all readers see cover them.
 *
 * <p>This package does not know how writes are logged and ordered, nor when a flush is due.
 */
@NullMarked
package io.accordiondb.internal.region;

import org.jspecify.annotations.NullMarked;
