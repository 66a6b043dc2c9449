// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.LogWriting;
import io.accordiondb.TestKeys;
import io.accordiondb.durability.WriteHistory.Contents;
import io.accordiondb.durability.WriteHistory.Progress;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.ObservedStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * One database on a simulated disk, through several lives: each ends in a crash, from which the
 * next one begins. At changes of the disk, chosen at random, also while a crash is being recovered
 * from, it is looked at what a crash at that moment would leave.
 */
final class CrashRun {
  /** Of this number of images, one is itself opened under observation. */
  private static final int NESTED = 20;

  /** Of this number of changes of the disk, the run crashes at one. */
  private static final int SAMPLED = 3;

  private static final int OPERATIONS_MAX = 60;

  private final long seed;
  private final UnaryOperator<Storage> between;
  private final RandomGenerator random;
  private final DatabaseOptions options;
  private final AtomicLong clock = new AtomicLong(1_000_000);
  private long points;
  private long lastValue;

  /** A disk as a crash leaves it, and what had been asked and acknowledged by then. */
  private record Image(
      MemoryStorage disk, boolean powerLost, Progress progress, int started, int catalogs) {}

  CrashRun(long seed) {
    this(seed, UnaryOperator.identity());
  }

  /** Creates a run whose databases see the disk through something. */
  CrashRun(long seed, UnaryOperator<Storage> between) {
    this.seed = seed;
    this.between = between;
    this.random = new SplittableRandom(seed);
    this.options = options();
  }

  /** Returns how many crashes were looked at. */
  long points() {
    return points;
  }

  /** Lives the given number of lives. */
  void run(int lives) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    WriteHistory history = new WriteHistory();
    for (int life = 0; life < lives; life++) {
      List<Image> images = live(disk, history);
      for (int i = 0; i < images.size(); i++) {
        check(images.get(i), history, "life " + life + ", crash " + i);
      }
      MemoryStorage last = images.isEmpty() ? disk : images.get(random.nextInt(images.size())).disk;
      disk = last.crash(random);
      // Another opening of the same disk finds the same.
      history = WriteHistory.startingWith(contentsOf(disk.copy(), "start of life " + (life + 1)));
    }
  }

  private List<Image> live(MemoryStorage disk, WriteHistory history) throws IOException {
    Recorder recorder = new Recorder(tearing -> imageOf(disk, history, tearing), random.nextLong());
    Storage observed = new ObservedStorage(disk, recorder::record);
    try (Database database = DatabaseEngine.open(between.apply(observed), options)) {
      Workload workload =
          new Workload(database, history, random, clock::incrementAndGet, lastValue);
      workload.run(1 + random.nextInt(OPERATIONS_MAX));
      lastValue = workload.lastValue();
      if (random.nextBoolean()) {
        database.close();
        workload.acknowledgeFlushes();
      }
      recorder.record();
      return recorder.stop();
    }
  }

  private void check(Image image, WriteHistory history, String where) throws IOException {
    points++;
    if (random.nextInt(NESTED) > 0) {
      checkContents(image, contentsOf(image.disk.copy(), where), history, where);
      return;
    }
    MemoryStorage disk = image.disk.copy();
    Recorder recorder = new Recorder(tearing -> imageOf(disk, image, tearing), random.nextLong());
    checkContents(
        image, contentsOf(new ObservedStorage(disk, recorder::record), where), history, where);
    List<Image> nested = recorder.stop();
    for (int i = 0; i < nested.size(); i++) {
      String nestedWhere = where + ", crash " + i + " of its recovery";
      points++;
      Contents contents = contentsOf(nested.get(i).disk, nestedWhere);
      checkContents(nested.get(i), contents, history, nestedWhere);
    }
  }

  private void checkContents(Image image, Contents contents, WriteHistory history, String where) {
    try {
      history.check(contents, image.progress, image.powerLost, image.started, image.catalogs);
    } catch (AssertionError e) {
      throw new AssertionError(
          "seed "
              + seed
              + ", "
              + where
              + (image.powerLost ? ", a loss of power" : ", a death of the process"),
          e);
    }
  }

  private Contents contentsOf(Storage storage, String where) {
    try (Database database = DatabaseEngine.open(between.apply(storage), options)) {
      return Workload.contentsOf(database);
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed + ", " + where, e);
    }
  }

  private DatabaseOptions options() {
    boolean quiet = random.nextBoolean();
    Policy policy = Policy.values()[random.nextInt(Policy.values().length)];
    DatabaseOptions.Builder builder = DatabaseOptions.builder();
    if (random.nextInt(3) == 0) {
      builder.encryption(TestKeys.changing(seed));
    }
    return builder
        .memoryBytes(64 << 20)
        .storeFlushBytes(quiet ? 0 : 1 << (9 + random.nextInt(4)))
        .blockCacheBytes(random.nextBoolean() ? 0 : 64 << 10)
        .durability(Durability.ASYNC)
        .memStorePolicy(new MemStorePolicy(policy, 0.02, 2, 0.1))
        .experiment(
            e -> e.withSegmentLayout(SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK)))
        // A pool of few large chunks is begun the quickest.
        .experiment(e -> e.withChunkBytes(256 << 10))
        .logFileBytes(4 << (10 + random.nextInt(3)))
        .logRetention(Duration.ofHours(random.nextInt(2)))
        .logBytesMax(64 << 10)
        .logWriting(random.nextBoolean() ? LogWriting.MAPPED : LogWriting.PLAIN)
        .asyncLogDelay(Duration.ofMillis(quiet ? 60_000 : 1))
        .clock(() -> Instant.ofEpochMilli(clock.get()))
        .experiment(e -> e.withSeed(seed))
        .build();
  }

  private Image imageOf(MemoryStorage disk, WriteHistory history, RandomGenerator tearing) {
    // What is acknowledged by now the image has; what it has was begun by the end.
    Progress progress = history.progress();
    boolean powerLost = losesPower(tearing);
    MemoryStorage left = powerLost ? disk.crash(tearing) : disk.copy();
    return new Image(left, powerLost, progress, history.started(), history.catalogsStarted());
  }

  private static Image imageOf(MemoryStorage disk, Image before, RandomGenerator tearing) {
    boolean powerLost = losesPower(tearing);
    return new Image(
        powerLost ? disk.crash(tearing) : disk.copy(),
        powerLost || before.powerLost,
        before.progress,
        before.started,
        before.catalogs);
  }

  private static boolean losesPower(RandomGenerator tearing) {
    return tearing.nextInt(3) > 0;
  }

  /** Takes images until it is stopped. Thread-safe. */
  private static final class Recorder {
    private final Function<RandomGenerator, Image> camera;
    private final RandomGenerator tearing;

    /** Guarded by this. */
    private final List<Image> images = new ArrayList<>();

    /** Guarded by this. */
    private boolean stopped;

    Recorder(Function<RandomGenerator, Image> camera, long seed) {
      this.camera = camera;
      this.tearing = new SplittableRandom(seed);
    }

    synchronized void record() {
      if (!stopped && tearing.nextInt(SAMPLED) == 0) {
        images.add(camera.apply(tearing));
      }
    }

    /** Stops, and returns the images. */
    synchronized List<Image> stop() {
      stopped = true;
      return images;
    }
  }
}
