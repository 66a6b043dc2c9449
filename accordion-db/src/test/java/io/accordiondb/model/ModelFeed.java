// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * What a change feed of the database under test delivers. Together with what no feed delivers, it
 * must explain all that the database holds.
 */
final class ModelFeed implements AutoCloseable {
  private final Subject subject;
  private final SubjectFeed feed;
  private Expected followed = new Expected();

  ModelFeed(Subject subject) {
    this.subject = subject;
    this.feed = new SubjectFeed(subject);
  }

  /** Follows what is written from now on to a database that holds what is expected. */
  void begin(Expected present) throws IOException {
    feed.begin();
    followed = present.copy();
  }

  /** Makes a change that no feed delivers. */
  void apply(Consumer<Expected> change) {
    change.accept(followed);
  }

  /** Takes all changes; after a loss that may be, goes on from what is expected. */
  void take(Expected present) throws IOException {
    if (!feed.take(changed -> followed.follow(changed))) {
      followed = present.copy();
    }
  }

  /** Checks that the database holds what was delivered. */
  void check(long now) throws IOException {
    ModelReads.checkAll(subject.database(), followed, now);
  }

  @Override
  public void close() throws IOException {
    feed.close();
  }
}
