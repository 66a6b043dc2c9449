// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseClosedException;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.RecoveryMode;
import io.accordiondb.model.ModelReads.Held;
import io.accordiondb.model.ModelReads.Probe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A database and what is expected of it, which change together. While the storage fails, a change
 * that throws may have happened or not; {@link #settle} finds out which.
 */
final class Pair {
  private static final int SNAPSHOTS_MAX = 6;

  /** Counts changes that have thrown while the storage failed, of all runs. */
  static final AtomicInteger FAILED_CHANGES = new AtomicInteger();

  private final Subject subject;
  private final ModelFeed feed;
  private final List<Held> snapshots = new ArrayList<>();
  private Expected expected = new Expected();
  private @Nullable Expected before;
  private boolean storageFails;

  Pair(Subject subject) {
    this.subject = subject;
    this.feed = new ModelFeed(subject);
  }

  /** Something that is done with the database. */
  interface Action {
    void run() throws IOException;
  }

  Subject subject() {
    return subject;
  }

  Database database() {
    return subject.database();
  }

  ModelFeed feed() {
    return feed;
  }

  Expected expected() {
    return expected;
  }

  long now() {
    return subject.now();
  }

  /** Returns the timestamp that a write gets now. */
  long writeTime() {
    return subject.writeTime();
  }

  List<Held> snapshots() {
    return Collections.unmodifiableList(snapshots);
  }

  void takeSnapshot() throws IOException {
    if (snapshots.size() < SNAPSHOTS_MAX) {
      snapshots.add(new Held(database().snapshot(), expected.sequence()));
    }
  }

  void closeSnapshot(int index) {
    snapshots.remove(index).snapshot().close();
  }

  private void closeSnapshots() {
    snapshots.forEach(held -> held.snapshot().close());
    snapshots.clear();
  }

  /**
   * Changes the database, and what is expected of it in the same way.
   *
   * @throws IOException if the database has thrown it: the last that an operation does then
   */
  void change(Action onDatabase, Runnable onExpected) throws IOException {
    if (!storageFails) {
      onDatabase.run();
      onExpected.run();
      return;
    }
    Expected unchanged = expected.copy();
    try {
      onDatabase.run();
    } catch (IOException e) {
      before = unchanged;
      FAILED_CHANGES.incrementAndGet();
      onExpected.run();
      throw e;
    }
    onExpected.run();
  }

  /** Makes a change that no feed delivers. */
  void changeUnseen(Action onDatabase, Consumer<Expected> onExpected) throws IOException {
    change(
        onDatabase,
        () -> {
          onExpected.accept(expected);
          feed.apply(onExpected);
        });
  }

  /** Does something that must not change any answer. */
  void keep(Draw draw, Action upkeep) throws IOException {
    Probe probe = draw.oneIn(2) ? ModelReads.whole(draw) : ModelReads.probe(snapshots, draw);
    List<?> answer = ModelReads.found(database(), probe);
    upkeep.run();
    assertThat(ModelReads.found(database(), probe).equals(answer))
        .as("the same answer before and after, to %s", probe)
        .isTrue();
    ModelReads.check(database(), expected, probe, now());
  }

  /** Closes and opens the database, by which no answer may change. */
  void reopen(Draw draw, RecoveryMode mode) throws IOException {
    closeSnapshots();
    keep(draw, () -> subject.reopen(mode));
  }

  /** Kills the database and opens what it has left, by which no answer may change. */
  void kill(Draw draw, RecoveryMode mode) throws IOException {
    closeSnapshots();
    keep(draw, () -> subject.kill(draw.random(), mode));
  }

  /** Does something while the storage fails. */
  void whileFailing(Action arm, Action action, RandomGenerator random) throws IOException {
    storageFails = true;
    try {
      arm.run();
      action.run();
    } catch (IOException | UncheckedIOException e) {
      // Expected: what has changed is found out below.
    } finally {
      storageFails = false;
      subject.storage().count(Set.of());
    }
    // What a background thread has met suspends writes only when the thread says so.
    subject.storage().awaitFailed();
    settle(random);
  }

  /** Makes the database usable again, now that its storage works, and checks what it holds. */
  private void settle(RandomGenerator random) throws IOException {
    try {
      // What a failure has kept in memory is written now, unless log or manifest have failed.
      database().flush();
    } catch (DatabaseFailedException | DatabaseClosedException e) {
      closeSnapshots();
      subject.kill(random, RecoveryMode.TOLERATE_TORN_TAIL);
    }
    if (before != null) {
      if (!ModelReads.matches(database(), expected, now())) {
        expected = before;
      }
      before = null;
    }
    ModelReads.checkAll(database(), expected, now());
  }
}
