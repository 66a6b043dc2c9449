// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.event;

/**
 * Receives the events of a database. Register listeners with {@link
 * io.accordiondb.DatabaseOptions.Builder#eventListener}.
 *
 * <p>A thread of the database makes the calls, one after another, in the order of the events. It
 * holds no lock, so a listener may call the database, and may close it. Nothing waits for a
 * listener: if one is slow, up to 10,000 events are queued; further ones are dropped, and the log
 * says how many.
 *
 * <p>An exception that a listener throws is logged once and does not affect the database or other
 * listeners. {@link io.accordiondb.Database#close} waits up to ten seconds until earlier events
 * have been delivered.
 */
public interface EventListener {
  /**
   * A flush of a store to disk has begun.
   *
   * @param event the event
   */
  default void onFlushBegin(FlushEvent event) {}

  /**
   * A flush has ended, or failed.
   *
   * @param event the event
   */
  default void onFlushEnd(FlushEvent event) {}

  /**
   * A compaction of sorted tables has begun.
   *
   * @param event the event
   */
  default void onCompactionBegin(CompactionEvent event) {}

  /**
   * A compaction has ended, was cancelled, or has failed.
   *
   * @param event the event
   */
  default void onCompactionEnd(CompactionEvent event) {}

  /**
   * Writes are being slowed down or stopped.
   *
   * @param event the event
   */
  default void onStallBegin(StallEvent event) {}

  /**
   * A stall is over: no write has been slowed down or stopped for about a second.
   *
   * @param event the event
   */
  default void onStallEnd(StallEvent event) {}

  /**
   * A sorted table was written, by a flush, a compaction or a bulk load, and comes into use.
   *
   * @param event the event
   */
  default void onFileAdded(FileAddedEvent event) {}

  /**
   * A sorted table that is no longer needed was deleted.
   *
   * @param event the event
   */
  default void onFileDeleted(FileDeletedEvent event) {}

  /**
   * A read, the commit of a transaction, a change feed, or work in the background has found damage
   * in a file. Each place is reported once, up to 1,000 places; the log says that there are more.
   *
   * @param event the event
   */
  default void onCorruption(CorruptionEvent event) {}

  /**
   * Background work has failed: a flush, a compaction, work in memory, or writing the log or
   * deleting its old files.
   *
   * @param event the event
   */
  default void onBackgroundError(BackgroundErrorEvent event) {}
}
