// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Follows what is written, in the order of sequence numbers, from the log. Belongs to one thread.
 *
 * <pre>{@code
 * try (ChangeFeed feed = database.changesAfter(token, "orders")) {
 *   while (running) {
 *     Change change = feed.next(Duration.ofSeconds(1));
 *     if (change != null) {
 *       WriteBatch index = entriesFor(change);
 *       index.put("progress", tokenPut(feed.token())); // With the entries, or not at all.
 *       database.write(index);
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p><b>What is delivered.</b> Each write that readers see, once the operating system has it, so
 * that the end of the process does not undo it; writes of {@link Durability#ASYNC} come with a
 * delay of {@link DatabaseOptions#asyncLogDelay}. A loss of power may undo a change that was not
 * forced to the device; who goes on behind it is told by a {@link ChangesLostException}. Writes of
 * {@link Durability#SKIP} and ingested files are not in the log, so they are not delivered; neither
 * is that a table was created, altered, truncated or dropped.
 *
 * <p><b>How far back.</b> As far as the log goes: {@link DatabaseOptions#logRetention} keeps it for
 * longer than the database needs it. A feed holds back nothing; one that is too slow is told.
 */
public interface ChangeFeed extends Closeable {
  /**
   * Returns the next change; null if there was none in time.
   *
   * @param timeout how long to wait at most; zero to look once
   * @throws ChangesLostException if the log does not go back that far any more
   * @throws DatabaseClosedException if the database is closed
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits
   */
  @Nullable Change next(Duration timeout) throws IOException;

  /**
   * Returns where the feed has come to, behind the change returned last: {@link
   * Database#changesAfter} goes on there, after a restart too.
   */
  String token();

  /** Gives back the file that is being read. Idempotent. */
  @Override
  void close() throws IOException;
}
