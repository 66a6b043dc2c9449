// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Delivers what is written to a database, in the order of sequence numbers, from the log. A feed
 * belongs to one thread, except that any thread may close it. Close it after use: it keeps a file
 * of the log open, and so its space on the device, until the database is closed.
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
 * that the end of the process cannot undo it. Writes of {@link Durability#ASYNC} come with a delay
 * of {@link DatabaseOptions#asyncLogDelay}. A loss of power can undo a change that was not forced
 * to the device; a feed that continues after such a change throws a {@link ChangesLostException}.
 * Writes of {@link Durability#SKIP} and ingested files are not in the log, so they are not
 * delivered. The creation, alteration, truncation and removal of tables are not delivered either.
 *
 * <p><b>How far back.</b> As far as the log: {@link DatabaseOptions#logRetention} keeps it for
 * longer than the database needs it. A feed does not keep the log; a feed that is too slow throws a
 * {@link ChangesLostException}. Without the option, a feed also throws one at a change of a table
 * or family that was dropped before the database was opened, even if it follows other tables. An
 * opening in the mode {@link RecoveryMode#SALVAGE} begins another log, in which tokens of the one
 * before it may be refused.
 */
public interface ChangeFeed extends Closeable {
  /**
   * {@return the next change, or null if there was none within the timeout}
   *
   * @param timeout how long to wait at most; zero does not wait
   * @throws ChangesLostException if the log no longer goes back that far, or does not say to which
   *     table and family a change belongs
   * @throws ClosedException if the feed is closed, also by another thread while this one waits
   * @throws DatabaseClosedException if the database is closed
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits
   */
  @Nullable Change next(Duration timeout) throws IOException;

  /**
   * {@return the position of the feed, after the last record that it has returned, or passed
   * because it is of other tables} {@link Database#changesAfter} continues there, also after a
   * restart.
   */
  String token();

  /** Closes the file that the feed reads. Idempotent. */
  @Override
  void close() throws IOException;
}
