// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.CompactionStyle;
import io.accordiondb.internal.catalog.Catalog;
import io.accordiondb.internal.catalog.RegionChanges;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits regions that have grown too large and merges small neighbours, one at a time in the
 * background. Thread-safe. It leaves a region alone while its files are views that no compaction
 * has rewritten, because the size of the region is unknown until then, and while the region cannot
 * be flushed, because a split or a merge must flush it first. A region that could not be changed,
 * such as one of a single row, does not keep others from their turn.
 */
public final class RegionBalancer {
  private static final Logger LOG = LoggerFactory.getLogger(RegionBalancer.class);

  /** How long a region that could not be changed is left alone, unless its files change. */
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Catalog catalog;
  private final RegionChanges changes;
  private final Executor executor;
  private final LongSupplier splitBytes;
  private final LongSupplier mergeBytes;
  private final AtomicBoolean busy = new AtomicBoolean();

  /** The last attempts that changed nothing, by the number of the region. */
  private final Map<Long, Attempt> futile = new ConcurrentHashMap<>();

  /**
   * Creates a balancer.
   *
   * @param splitBytes size of the files of one family above which a region is split
   * @param mergeBytes size of the files of two neighbours below which they are merged; 0 for never
   */
  public RegionBalancer(
      Catalog catalog,
      RegionChanges changes,
      Executor executor,
      LongSupplier splitBytes,
      LongSupplier mergeBytes) {
    this.catalog = catalog;
    this.changes = changes;
    this.executor = executor;
    this.splitBytes = splitBytes;
    this.mergeBytes = mergeBytes;
  }

  /** Makes one change in the background if one is due. */
  void balance() {
    if (!busy.compareAndSet(false, true)) {
      return;
    }
    boolean begun = false;
    try {
      Change change = due();
      if (change != null) {
        executor.execute(BackgroundThreads.surviving(() -> run(change)));
        begun = true;
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("the database is closing, and changes no regions any more");
    } finally {
      if (!begun) {
        busy.set(false);
      }
    }
  }

  /** A split or a merge to do; upper is null for a split. */
  private record Change(String table, Region lower, @Nullable Region upper) {}

  private record Attempt(long fileBytes, long nanos) {}

  private @Nullable Change due() {
    long now = System.nanoTime();
    futile.values().removeIf(attempt -> now - attempt.nanos >= PAUSE_NANOS);
    long split = splitBytes.getAsLong();
    long merge = mergeBytes.getAsLong();
    for (TableState table : catalog.all()) {
      List<Region> regions = table.regions().regions();
      for (int i = 0; i < regions.size(); i++) {
        Region region = regions.get(i);
        if (!isChangeable(region)) {
          continue;
        }
        if (region.stores().stream().anyMatch(store -> store.fileStatistics().bytes() > split)) {
          return new Change(table.name(), region, null);
        }
        Region next = merge > 0 && i + 1 < regions.size() ? regions.get(i + 1) : null;
        if (next != null && isChangeable(next) && bytesOf(region) + bytesOf(next) < merge) {
          return new Change(table.name(), region, next);
        }
      }
    }
    return null;
  }

  private void run(Change change) {
    boolean done = false;
    try {
      done =
          change.upper == null
              ? changes.split(change.table, change.lower)
              : changes.merge(change.table, change.lower, change.upper);
      if (done) {
        LOG.info(
            "{} {} of table {}",
            change.upper == null ? "split" : "merged",
            change.lower.record(),
            change.table);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} stays as it is", change.lower.record(), e);
    } finally {
      busy.set(false);
      if (!done) {
        Region region = change.lower;
        futile.put(region.record().regionId(), new Attempt(fileBytesOf(region), System.nanoTime()));
      }
    }
  }

  private boolean isChangeable(Region region) {
    Attempt last = futile.get(region.record().regionId());
    if (last != null && last.fileBytes == fileBytesOf(region)) {
      return false;
    }
    return region.stores().stream()
        .noneMatch(
            store ->
                store.hasViews()
                    || store.flushFailure() != null
                    || store.descriptor().compactionStyle() == CompactionStyle.NONE);
  }

  private static long bytesOf(Region region) {
    long memoryBytes =
        region.stores().stream().mapToLong(store -> store.memStore().usedBytes()).sum();
    return memoryBytes + fileBytesOf(region);
  }

  private static long fileBytesOf(Region region) {
    return region.stores().stream().mapToLong(store -> store.fileStatistics().bytes()).sum();
  }
}
