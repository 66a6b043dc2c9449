// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangedCell;
import io.accordiondb.ChangesLostException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A change feed of all tables of a subject, which goes on after restarts and kills. */
final class SubjectFeed implements AutoCloseable {
  private final Subject subject;
  private @Nullable ChangeFeed feed;
  private @Nullable Database followed;
  private String token = "";

  /** Whether options have allowed that changes are lost since the last one was taken. */
  private boolean mayLose;

  SubjectFeed(Subject subject) {
    this.subject = subject;
  }

  /** Follows what is written from now on. */
  void begin() throws IOException {
    followed = subject.database();
    ChangeFeed begun = subject.database().changes();
    replace(begun);
    token = begun.token();
    mayLose = isLosing();
  }

  /**
   * Takes all changes. If some were lost, which must be allowed, begins again.
   *
   * @return whether none was lost
   */
  boolean take(Consumer<ChangedCell> receiver) throws IOException {
    mayLose |= isLosing() | subject.takeCutOfLog();
    try {
      ChangeFeed current = current();
      for (Change change = current.next(Duration.ZERO);
          change != null;
          change = current.next(Duration.ZERO)) {
        change.cells().forEach(receiver);
      }
      token = current.token();
      mayLose = isLosing();
      return true;
    } catch (ChangesLostException e) {
      assertThat(mayLose).as("%s", e).isTrue();
      begin();
      return false;
    }
  }

  private ChangeFeed current() throws IOException {
    Database database = subject.database();
    ChangeFeed current = feed;
    if (current == null || followed != database) {
      current = database.changesAfter(token);
      replace(current);
      followed = database;
    }
    return current;
  }

  private void replace(ChangeFeed next) throws IOException {
    if (feed != null) {
      feed.close();
    }
    feed = next;
  }

  private boolean isLosing() throws IOException {
    DatabaseOptions options = subject.database().options();
    return options.logRetention().isZero() || options.logRetentionBytesMax() < Long.MAX_VALUE;
  }

  @Override
  public void close() throws IOException {
    if (feed != null) {
      feed.close();
    }
  }
}
