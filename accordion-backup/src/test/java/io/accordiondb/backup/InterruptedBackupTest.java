// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.RestorePoint;
import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A thread is interrupted while it works on backups; others then go on. */
@Timeout(120)
class InterruptedBackupTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir private Path folder;
  private int targets;

  @AfterEach
  void clearTheInterrupt() {
    Thread.interrupted();
  }

  /** A target whose caller is interrupted before, or after, the nth change. */
  private static final class Interrupting extends ForwardingTarget {
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

    Interrupting(BackupTarget target) {
      super(target);
    }

    private void change() {
      if (left.getAndDecrement() == 0) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void write(String name, InputStream content, long bytes) throws IOException {
      change();
      super.write(name, content, bytes);
      change();
    }

    @Override
    public boolean writeNew(String name, byte[] content) throws IOException {
      change();
      boolean written = super.writeNew(name, content);
      change();
      return written;
    }

    @Override
    public void delete(String name) throws IOException {
      change();
      super.delete(name);
      change();
    }
  }

  /** Something that is done with backups. */
  private interface Work {
    void run(Backups backups) throws IOException;
  }

  private Interrupting newTarget() {
    return new Interrupting(BackupTarget.folder(folder.resolve("backups" + targets++)));
  }

  /** Interrupts work at each change; lists what another backup then finds wrong. */
  private List<String> interruptEverywhere(Database database, Work work) throws IOException {
    List<String> problems = new ArrayList<>();
    boolean interrupted = true;
    for (int moment = 0; interrupted; moment++) {
      Interrupting target = newTarget();
      Backups backups = Backups.at(target);
      for (int i = 0; i < 3; i++) {
        database.keyValueStore("s").put(KEY, ("v" + i).getBytes(UTF_8));
        backups.create(database);
      }
      target.left.set(moment);
      boolean failed = false;
      try {
        work.run(backups);
      } catch (IOException e) {
        failed = true;
      }
      interrupted = Thread.interrupted();
      if (!interrupted && target.left.getAndSet(Integer.MAX_VALUE) < 0) {
        problems.add(moment + ": the interrupt was lost");
      }
      if (failed && backups.generations().size() > 3) {
        problems.add(moment + ": there is a generation though the backup failed");
      }
      try {
        long number = backups.create(database).number();
        assertThat(backups.verify(number, BackupOptions.DEFAULTS)).isEmpty();
      } catch (IOException e) {
        problems.add(moment + ": " + e.getMessage());
      }
    }
    return problems;
  }

  @Test
  void anInterruptedBackupOrDeletionLocksNobodyOut() throws IOException {
    try (Database database = Database.open(folder.resolve("db"))) {
      assertThat(interruptEverywhere(database, backups -> backups.create(database))).isEmpty();
      assertThat(interruptEverywhere(database, backups -> backups.delete(2))).isEmpty();
      assertThat(interruptEverywhere(database, backups -> backups.keepNewest(1))).isEmpty();
    }
  }

  /** An interrupt may come between any two steps of taking and releasing the lock. */
  @Test
  void aLockIsReleasedWheneverTheInterruptComes() throws Exception {
    BackupTarget target = BackupTarget.folder(folder.resolve("locked"));
    Thread taker = Thread.currentThread();
    AtomicBoolean ended = new AtomicBoolean();
    TestThread interrupter =
        TestThread.start(
            "interrupter",
            () -> {
              SplittableRandom random = new SplittableRandom(1);
              while (!ended.get()) {
                LockSupport.parkNanos(random.nextInt(30_000_000));
                taker.interrupt();
              }
            });
    BackupLockedException lockedOut = null;
    for (int round = 0; round < 100 && lockedOut == null; round++) {
      try {
        BackupLockTest.take(target).close();
      } catch (BackupLockedException e) {
        lockedOut = e;
      } catch (IOException e) {
        // The thread was interrupted.
      }
      Thread.interrupted();
    }
    ended.set(true);
    while (interrupter.isRunning()) {
      Thread.onSpinWait();
    }
    Thread.interrupted();
    interrupter.join();
    assertThat(lockedOut).isNull();
    BackupLockTest.take(target).close();
  }

  /** An interrupt is no fault of the file that is being written. */
  @Test
  void anInterruptWhileAFileIsWrittenIsReportedAsSuch() {
    InputStream content =
        new InputStream() {
          @Override
          public int read() {
            Thread.currentThread().interrupt();
            return 1;
          }
        };
    BackupTarget target = BackupTarget.folder(folder.resolve("interrupted"));
    assertThatExceptionOfType(ClosedByInterruptException.class)
        .isThrownBy(() -> target.write("files/a", content, Long.MAX_VALUE));
  }

  @Test
  void anInterruptedRestorationLeavesNothingAndIsRepeated() throws IOException {
    DatabaseOptions options = DatabaseOptions.builder().logRetention(Duration.ofDays(1)).build();
    Backups backups = Backups.at(newTarget());
    RestorePoint point;
    try (Database database = Database.open(folder.resolve("db"), options)) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(KEY, new byte[] {1});
      backups.create(database);
      store.put(KEY, new byte[] {2});
      long sequence;
      try (var now = database.snapshot()) {
        sequence = now.sequenceNumber();
      }
      point = RestorePoint.sequence(sequence);
      store.put(KEY, new byte[] {3});
      backups.create(database);
    }
    boolean interrupted = true;
    for (int moment = 0; interrupted; moment++) {
      AtomicInteger left = new AtomicInteger(moment);
      BackupOptions interrupting =
          BackupOptions.DEFAULTS.withProgress(
              (files, filesAll, bytes, bytesAll) -> {
                if (left.getAndDecrement() == 0) {
                  Thread.currentThread().interrupt();
                }
              });
      Path restored = folder.resolve("restored" + moment);
      boolean whole = false;
      try {
        backups.restore(point, restored, options, interrupting);
        whole = true;
      } catch (IOException e) {
        // The thread was interrupted.
      }
      interrupted = Thread.interrupted();
      if (!whole) {
        assertThat(restored).as("moment %d", moment).doesNotExist();
        backups.restore(point, restored, options, BackupOptions.DEFAULTS);
      }
      try (Database database = Database.open(restored, options)) {
        assertThat(database.keyValueStore("s").get(KEY)).containsExactly(2);
      }
    }
  }
}
