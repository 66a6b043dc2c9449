// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The memory store of the Accordion paper, as a library: {@link io.accordiondb.memstore.MemStore}
 * and what a host passes to it.
 *
 * <p>A memory store takes cells that the host has logged, keeps them sorted in segments, merges and
 * compacts these in memory, and hands them over when the host flushes to disk. It does no I/O and
 * owns no thread: executor, clock, randomness and memory budget come from the host.
 *
 * <p><b>One list.</b> Active segment, pipeline and snapshot are in one immutable list behind one
 * reference, so a reader gets all three with one read and finds no cell twice. Each change makes a
 * new list and swaps it by compare-and-set; a compaction that lost the race against a disk flush is
 * given up.
 *
 * <p><b>Background work.</b> The thread that merges also flattens sealed segments while it runs. A
 * writer that seals a segment while the background is busy, and was already busy at the previous
 * seal, flattens the segment itself, so writers that are faster than the background pay with their
 * own time, not with memory full of redundant cells. Work that does not fit into the budget is
 * skipped.
 *
 * <p><b>Policies.</b> {@code PipelinePlanner} plans NONE, BASIC, EAGER and ADAPTIVE as the paper
 * defines them. Its {@code u} is unknown until a merge has measured it, and again after a disk
 * flush; an unknown {@code u} never causes a compaction. Where a policy merges and drops nothing,
 * {@code MergeSchedule.ALL} merges the whole pipeline as the paper does; {@code TIERED}, the
 * default, merges as many of the newest segments as cost least in the long run. AUTO estimates how
 * many distinct columns the newest segments have together, from a HyperLogLog sketch of each, and
 * compacts as many as gain most.
 *
 * <p><b>Deleted rows.</b> A compaction drops a delete marker that is older than all other segments
 * and whose row no sorted table can have. A reader that has passed 64 dead rows in a row requests a
 * compaction, so a queue whose head is deleted all the time stays fast.
 *
 * <p><b>Memory.</b> A version holds its segments, a segment the arenas of its cells, a view its
 * version. Each chunk is charged to the store's account when it is taken and credited when it is
 * given back. A new active segment is allocated and swapped in before the old one is sealed, so a
 * failed allocation leaves writers a segment that accepts cells.
 *
 * <p>docs/PAPER.md compares all of this with the paper, section by section.
 */
@NullMarked
package io.accordiondb.memstore;

import org.jspecify.annotations.NullMarked;
