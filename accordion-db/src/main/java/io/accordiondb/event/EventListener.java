// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.event;

/**
 * Is told what a database does. Register listeners with {@link
 * io.accordiondb.DatabaseOptions.Builder#eventListener}.
 *
 * <p>A thread of the database's own makes the calls, one after another and in the order in which
 * things happened. It holds no lock, so a listener may call the database, also to close it. Nothing
 * waits for a listener: while one is slow, up to 10,000 events wait; further ones are dropped, and
 * the log says how many.
 *
 * <p>What a listener throws is logged once and does no harm to the database or to other listeners.
 * {@link io.accordiondb.Database#close} waits up to ten seconds until the events before it have
 * been told.
 */
public interface EventListener {
  /** A flush of a store to disk has begun. */
  default void onFlushBegin(FlushEvent event) {}

  /** A flush has ended, or failed. */
  default void onFlushEnd(FlushEvent event) {}

  /** A compaction of sorted tables has begun. */
  default void onCompactionBegin(CompactionEvent event) {}

  /** A compaction has ended, was given up, or has failed. */
  default void onCompactionEnd(CompactionEvent event) {}

  /** Writes are being slowed down or stopped. */
  default void onStallBegin(StallEvent event) {}

  /** No write has been slowed down or stopped for about a second. */
  default void onStallEnd(StallEvent event) {}

  /** A sorted table was written, by a flush, a compaction or a bulk load, and is in use. */
  default void onFileAdded(FileAddedEvent event) {}

  /** A sorted table that nobody needs any more was deleted. */
  default void onFileDeleted(FileDeletedEvent event) {}

  /** A read or a compaction has found damage in a file. Each place is told once. */
  default void onCorruption(CorruptionEvent event) {}

  /**
   * Work in the background has failed: a flush, a compaction, work in memory, or writing the log.
   */
  default void onBackgroundError(BackgroundErrorEvent event) {}
}
