// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.accordiondb.internal.engine.ParksInInitializer;
import io.accordiondb.internal.engine.UsesAnotherClass;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Virtual threads that read and write, on Java 21 or later: none pins its carrier. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class VirtualThreadsTest {
  private static final int THREADS = 10_000;
  private static final int VALUE_BYTES = 500;
  private static final String PINNED = "jdk.VirtualThreadPinned";
  private static final String REASON = "pinnedReason";

  /** HotSpot's freeze_pinned_cs: the thread is in a critical section. */
  private static final String IN_CRITICAL_SECTION = "Freeze or preempt failed (2)";

  private static final Pattern OURS =
      Pattern.compile("^io\\.accordiondb\\.(internal|memstore|chunk)");

  @TempDir Path folder;

  private KeyValueStore store;

  @BeforeAll
  static void requireVirtualThreads() {
    assumeTrue(Runtime.version().feature() >= 21, "virtual threads");
  }

  private static ExecutorService executor() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  @Test
  void tenThousandThreadsReadAndWriteAndNoneIsPinned() throws Exception {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(16 << 20)
            .storeFlushBytes(1 << 20)
            .blockCacheBytes(0)
            .openFilesMax(2)
            .build();
    try (Database database = Database.open(folder.resolve("db"), options)) {
      store = database.keyValueStore("s");
      // What classes need to be loaded for is loaded before, also what only files need.
      run(database, 100);
      database.flush();
      assertThat(store.get(bytes("p0"))).hasSize(VALUE_BYTES);
      assertThat(pinsDuring(() -> run(database, THREADS)))
          .filteredOn(VirtualThreadsTest::isPinnedByTheDatabase)
          .isEmpty();
      assertThat(store.get(bytes("a9999"))).hasSize(VALUE_BYTES);
    }
  }

  @Test
  void aPinBelowAnInitializerOfTheDatabaseIsFound() throws Exception {
    assertThat(pinsDuring(() -> runInVirtualThread(ParksInInitializer::initialize)))
        .anyMatch(VirtualThreadsTest::isPinnedByTheDatabase);
  }

  @Test
  void aPinWhileTheJvmLoadsAClassIsNotTheDatabases() throws Exception {
    assumeTrue(Runtime.version().feature() >= 24, "events with a reason");
    Runnable user =
        (Runnable)
            new SlowLoader()
                .loadClass(UsesAnotherClass.class.getName())
                .getConstructor()
                .newInstance();
    List<RecordedEvent> pins = pinsDuring(() -> runInVirtualThread(user));
    assumeThat(pins).anyMatch(VirtualThreadsTest::hasFrameOfTheDatabase);
    assertThat(pins).noneMatch(VirtualThreadsTest::isPinnedByTheDatabase);
  }

  private static void runInVirtualThread(Runnable work) throws Exception {
    ExecutorService executor = executor();
    executor.submit(work).get();
    executor.shutdown();
  }

  /** Something that may fail. */
  private interface Work {
    void run() throws Exception;
  }

  /** Returns the events of threads that kept their carriers while they waited. */
  private List<RecordedEvent> pinsDuring(Work work) throws Exception {
    Path events = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
      recording.start();
      work.run();
      recording.stop();
      recording.dump(events);
    }
    return RecordingFile.readAllEvents(events).stream()
        .filter(event -> event.getEventType().getName().equals(PINNED))
        .toList();
  }

  private void run(Database database, int threads) throws Exception {
    ExecutorService executor = executor();
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      running.add(
          executor.submit(
              () -> {
                work(database, number);
                return null;
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
    executor.shutdown();
  }

  private void work(Database database, int number) throws IOException {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) number);
    store.put(bytes("p" + number), value);
    assertThat(store.get(bytes("p" + number))).isEqualTo(value);
    Stages.await(
        database.writeAsync(
            new WriteBatch().put(store, bytes("a" + number), value),
            number % 4 == 0 ? Durability.FSYNC : Durability.SYNC));
    assertThat(store.get(bytes("a" + number))).isEqualTo(value);
  }

  /** Returns whether the database, not the JDK or the loading of a class, has pinned a carrier. */
  private static boolean isPinnedByTheDatabase(RecordedEvent event) {
    return !isInCriticalSection(event) && hasFrameOfTheDatabase(event);
  }

  /**
   * Returns whether the thread was in a critical section. Only java.base can open one, for instance
   * to record an event, and the JVM, to ask a class loader; neither calls the database in it. A
   * thread that an initializer or another native frame pins has another reason. Until Java 24,
   * events have none.
   */
  private static boolean isInCriticalSection(RecordedEvent event) {
    return event.hasField(REASON) && IN_CRITICAL_SECTION.equals(event.getString(REASON));
  }

  private static boolean hasFrameOfTheDatabase(RecordedEvent event) {
    return event.getStackTrace() == null
        || event.getStackTrace().getFrames().stream()
            .map(frame -> frame.getMethod().getType().getName())
            .anyMatch(type -> OURS.matcher(type).find());
  }

  /** Defines {@link UsesAnotherClass} and what it uses, each after a pause. */
  private static final class SlowLoader extends ClassLoader {
    SlowLoader() {
      super(VirtualThreadsTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(UsesAnotherClass.class.getName())) {
        return super.loadClass(name, resolve);
      }
      LockSupport.parkNanos(1_000_000);
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
