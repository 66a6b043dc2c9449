// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.UnseenHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionServicesForStores;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.Store;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a memory store access to its region beyond what HBase passes to it: read points, the rules
 * of the family, coprocessors, a lock that prevents flushes from starting, and the count of
 * mutations that the log lacks. These are in private fields of HBase. If the region cannot be
 * reached, in-memory compactions drop nothing and only merge; if lock or count cannot be reached,
 * nothing is reported to the log. Thread-safe.
 */
final class RegionAccess {
  private static final Logger LOG = LoggerFactory.getLogger(RegionAccess.class);

  /**
   * Hooks by which a coprocessor sees or changes what flushes and compactions drop. A coprocessor
   * with such hooks may need cells that HBase's rules would drop.
   */
  private static final Set<String> RETENTION_HOOKS =
      Set.of(
          "preFlushScannerOpen",
          "preFlush",
          "preCompactScannerOpen",
          "preCompact",
          "preStoreScannerOpen",
          "preMemStoreCompaction",
          "preMemStoreCompactionCompactScannerOpen",
          "preMemStoreCompactionCompact");

  /** Stands for no sequence number to report. */
  private static final long NOT_RAISED = -1;

  /** The package of coprocessors that use such hooks only to check permissions. */
  private static final String HBASES_OWN_GUARDS = "org.apache.hadoop.hbase.security.";

  /** Weak, so that a region that HBase has dropped without closing its stores can be collected. */
  private final @Nullable WeakReference<HRegion> regionReference;

  /**
   * Held by writers, and while a sequence number is reported to the region; a flush must not come
   * between. A flush takes it exclusively to begin.
   */
  private final @Nullable ReentrantReadWriteLock updates;

  /** The reasons, already logged, why nothing could be dropped. */
  private final Set<String> obstaclesTold = ConcurrentHashMap.newKeySet();

  private volatile byte @Nullable [] family;
  private volatile boolean replaying;

  /** The mutations of the region that the log lacks; null if they cannot be counted. */
  private final @Nullable UnloggedMutations unlogged;

  /** How many of them there had been when the last snapshot was taken. */
  private volatile long unloggedBeforeSnapshot;

  /** How many snapshots have been taken. Written while no write is in progress. */
  private volatile long snapshots;

  RegionAccess(@Nullable RegionServicesForStores services) {
    HRegion region =
        services == null
            ? null
            : (HRegion) fieldOf(RegionServicesForStores.class, "region", services);
    this.regionReference = region == null ? null : new WeakReference<>(region);
    this.updates =
        region == null
            ? null
            : (ReentrantReadWriteLock) fieldOf(HRegion.class, "updatesLock", region);
    this.unlogged = region == null ? null : UnloggedMutations.of(region);
  }

  private static @Nullable Object fieldOf(Class<?> declaring, String name, Object holder) {
    try {
      Field field = declaring.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(holder);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("{}.{} cannot be reached: memory stores do less", declaring.getName(), name, e);
      return null;
    }
  }

  /** Returns the region, or null if there is none, or HBase has dropped it. */
  @Nullable HRegion region() {
    return regionReference == null ? null : regionReference.get();
  }

  /** Sets the name of the family, which is known from its first cell on. */
  void setFamily(byte[] name) {
    family = name;
  }

  boolean knowsFamily() {
    return family != null;
  }

  /**
   * Returns the name of the family, or null before its first cell. The bytes must not be changed.
   */
  byte @Nullable [] family() {
    return family;
  }

  /**
   * Notes that a single cell is about to be added. Only replays do that, and row processors of
   * coprocessors. The log may lack the cells of the latter, and HBase does not count them.
   */
  void noteSingleCell() {
    if (unlogged != null) {
      unlogged.noteUncounted();
    }
  }

  /** Notes that all cells in memory belong to a snapshot now. No write is in progress. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void noteSnapshot() {
    snapshots++;
    unloggedBeforeSnapshot = unlogged == null ? 0 : unlogged.total();
  }

  /** Returns how many snapshots have been taken. */
  long snapshots() {
    return snapshots;
  }

  void setReplaying(boolean replaying) {
    this.replaying = replaying;
  }

  /** Returns the lowest sequence number up to which any scanner of the region reads. */
  long smallestReadPoint() {
    HRegion region = region();
    return region == null ? 0 : region.getSmallestReadPoint();
  }

  /**
   * Returns the memory that HBase compares with the size at which it refuses writes; 0 if writers
   * must not be delayed. HBase adds the mutations of a batch one by one under one lock, and a flush
   * that waits for this lock would wait for the delays of all of them.
   */
  long heldBytes() {
    HRegion region = region();
    return region == null || replaying || (updates != null && updates.hasQueuedThreads())
        ? 0
        : region.getMemStoreHeapSize() + region.getMemStoreOffHeapSize();
  }

  /** Returns the data that HBase counts for the region; no limit if there is no region. */
  long dataBytes() {
    HRegion region = region();
    return region == null ? Long.MAX_VALUE : region.getMemStoreDataSize();
  }

  /**
   * Returns a filter by HBase's rules, or null when nothing may be dropped.
   *
   * @param unseen the segments that the compaction does not read
   */
  @Nullable CellFilter newFilter(UnseenHistory unseen) {
    byte[] name = family;
    HRegion region = region();
    if (region == null || name == null) {
      return null;
    }
    HStore store = region.getStore(name);
    if (store == null) {
      return null;
    }
    ScanInfo rules = store.getScanInfo();
    String obstacle = obstacle(region, rules);
    if (obstacle != null) {
      if (obstaclesTold.add(obstacle)) {
        LOG.info(
            "{}, family {}: cells are merged in memory, and none dropped, because of {}",
            region,
            store,
            obstacle);
      }
      return null;
    }
    try {
      RegionCoprocessorHost host = region.getCoprocessorHost();
      return new HBaseRules(
          rules, unseen, host, observers(host).anyMatch(RegionAccess::judgesMarkers));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the logged reasons why nothing could be dropped so far. */
  Set<String> obstaclesTold() {
    return obstaclesTold;
  }

  private @Nullable String obstacle(HRegion region, ScanInfo rules) {
    if (replaying) {
      return "the log's being replayed";
    }
    if (rules.isNewVersionBehavior()) {
      return "the family's new version behaviour";
    }
    return observers(region.getCoprocessorHost())
        .filter(RegionAccess::changesRetention)
        .map(observer -> "coprocessor " + observer.getName())
        .findFirst()
        .orElse(null);
  }

  /** Returns the classes of the coprocessors that observe a region. */
  private static Stream<Class<?>> observers(@Nullable RegionCoprocessorHost host) {
    return host == null
        ? Stream.empty()
        : host.findCoprocessors(RegionCoprocessor.class).stream()
            .flatMap(coprocessor -> coprocessor.getRegionObserver().stream())
            .map(Object::getClass);
  }

  /** Returns whether an observer may decide what a marker hides, as labels of visibility do. */
  private static boolean judgesMarkers(Class<?> observer) {
    return Stream.of(observer.getMethods())
        .anyMatch(
            method ->
                method.getName().equals("postInstantiateDeleteTracker")
                    && method.getDeclaringClass() != RegionObserver.class);
  }

  private static boolean changesRetention(Class<?> observer) {
    if (observer.getName().startsWith(HBASES_OWN_GUARDS)) {
      return false;
    }
    for (Method method : observer.getMethods()) {
      if (RETENTION_HOOKS.contains(method.getName())
          && method.getDeclaringClass() != RegionObserver.class
          && Stream.of(method.getParameterTypes()).anyMatch(Store.class::equals)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Runs an action while no flush of the region can begin, nor any other call of HBase that takes a
   * snapshot. Does nothing if one is about to: it would wait for the log of all writers, and other
   * regions need the thread. Returns what the action returns, and false if it was not run.
   */
  boolean unlessAFlushBegins(BooleanSupplier action) {
    if (updates == null) {
      return action.getAsBoolean();
    }
    // The lock alone may be had before a flush that waits for it.
    if (updates.hasQueuedThreads() || !updates.readLock().tryLock()) {
      return false;
    }
    try {
      return action.getAsBoolean();
    } finally {
      updates.readLock().unlock();
    }
  }

  /** Returns whether this thread keeps writers out, as HBase does to flush or drop cells. */
  boolean keepsWritersOut() {
    return updates != null && updates.isWriteLockedByCurrentThread();
  }

  /**
   * Returns the sequence number below which HBase's log is no longer needed, or {@link
   * #NOT_RAISED}. The latter also while there are cells that the log lacks: a crash takes them, and
   * the log must still have what they displaced. The caller keeps flushes from beginning.
   *
   * @param flushing whether a flush is in progress
   * @param oldestInMemory supplies the oldest sequence number in memory. It is called after the
   *     read point was taken, so a write that has a sequence number but is not in memory yet is
   *     above the read point
   */
  long lowestSequence(boolean flushing, LongSupplier oldestInMemory) {
    HRegion region = region();
    if (region == null || replaying || flushing || updates == null || unlogged == null) {
      return NOT_RAISED;
    }
    long readable = region.getMVCC().getReadPoint();
    long oldest = oldestInMemory.getAsLong();
    // After the oldest, which may have risen because of a write that the log lacks.
    return oldest == Long.MAX_VALUE || unlogged.total() > unloggedBeforeSnapshot
        ? NOT_RAISED
        : Math.min(oldest, readable + 1);
  }
}
