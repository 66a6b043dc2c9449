// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.micrometer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.ClosedException;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.statistics.StoreStatistics;
import io.accordiondb.statistics.TableStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The statistics of a database, read again on request if they are a second old. */
final class Statistics {
  private static final long AGE_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  private final Source source;
  private final Runnable onNew;
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private @Nullable Moment latest;

  /** Of the last time at which the database could be read. */
  @GuardedBy("this")
  private Map<Family, Stores> families = Map.of();

  /** Where statistics come from. */
  interface Source {
    DatabaseStatistics get() throws IOException;
  }

  /** A family of a table. */
  record Family(String table, String name) implements Comparable<Family> {
    @Override
    public int compareTo(Family other) {
      int byTable = table.compareTo(other.table);
      return byTable == 0 ? name.compareTo(other.name) : byTable;
    }
  }

  /**
   * Statistics of one time; null once the database is closed.
   *
   * @param nanos when they had been read
   */
  private record Moment(
      long nanos, @Nullable DatabaseStatistics statistics, Map<Family, Stores> families) {}

  /**
   * The stores of a family, one for each region.
   *
   * @param past the work of stores that are gone, because their regions were split or merged, or
   *     because a reader was refreshed and opened them again
   */
  private record Stores(List<StoreStatistics> present, MemoryWork past) {
    static final Stores NONE = new Stores(List.of(), MemoryWork.NONE);

    MemoryWork work() {
      return workOf(present.stream());
    }

    /** Returns the stores that have taken the place of these. */
    Stores replacedBy(List<StoreStatistics> newer) {
      Map<Long, MemoryWork> works = new HashMap<>();
      newer.forEach(store -> works.put(store.region(), MemoryWork.of(store.memory())));
      MemoryWork gone =
          workOf(present.stream().filter(store -> !continues(store, works.get(store.region()))));
      return new Stores(newer, past.plus(gone));
    }

    /** Returns whether a store has done the work of a later time. */
    private static boolean continues(StoreStatistics store, @Nullable MemoryWork later) {
      return later != null && later.includes(MemoryWork.of(store.memory()));
    }

    private static MemoryWork workOf(Stream<StoreStatistics> stores) {
      return stores
          .map(store -> MemoryWork.of(store.memory()))
          .reduce(MemoryWork.NONE, MemoryWork::plus);
    }
  }

  /**
   * Creates a reader that has no statistics yet.
   *
   * @param onNew called after new statistics were taken, by the thread that asked for them
   */
  Statistics(Source source, Runnable onNew) {
    this(source, onNew, System::nanoTime);
  }

  /** Same as above, with a clock in nanoseconds. */
  Statistics(Source source, Runnable onNew, LongSupplier nanoClock) {
    this.source = source;
    this.onNew = onNew;
    this.nanoClock = nanoClock;
  }

  private Moment now() {
    Moment taken;
    synchronized (this) {
      Moment before = latest;
      if (before != null && nanoClock.getAsLong() - before.nanos < AGE_NANOS_MAX) {
        return before;
      }
      taken = take();
      latest = taken;
    }
    onNew.run();
    return taken;
  }

  @GuardedBy("this")
  private Moment take() {
    try {
      DatabaseStatistics statistics = source.get();
      Map<Family, Stores> before = families;
      Map<Family, Stores> now = new TreeMap<>();
      familiesOf(statistics)
          .forEach(
              (family, stores) ->
                  now.put(family, before.getOrDefault(family, Stores.NONE).replacedBy(stores)));
      families = now;
      return new Moment(nanoClock.getAsLong(), statistics, now);
    } catch (IOException | ClosedException e) {
      return new Moment(nanoClock.getAsLong(), null, Map.of());
    }
  }

  private static Map<Family, List<StoreStatistics>> familiesOf(DatabaseStatistics statistics) {
    Map<Family, List<StoreStatistics>> families = new TreeMap<>();
    for (TableStatistics table : statistics.tables()) {
      for (StoreStatistics store : table.stores()) {
        families
            .computeIfAbsent(new Family(table.name(), store.family()), key -> new ArrayList<>())
            .add(store);
      }
    }
    return families;
  }

  /** Returns a figure of the database; NaN once that is closed. */
  double of(ToDoubleFunction<DatabaseStatistics> figure) {
    DatabaseStatistics statistics = now().statistics;
    return statistics == null ? Double.NaN : figure.applyAsDouble(statistics);
  }

  /** Returns a figure of a family, added up over its regions; NaN if there is no such family. */
  double sum(Family family, ToDoubleFunction<StoreStatistics> figure) {
    Stores stores = now().families.get(family);
    return stores == null ? Double.NaN : stores.present.stream().mapToDouble(figure).sum();
  }

  /**
   * Returns a figure of the work of a family, which does not fall when regions are split or merged;
   * NaN if there is no such family.
   */
  double work(Family family, ToDoubleFunction<MemoryWork> figure) {
    Stores stores = now().families.get(family);
    return stores == null ? Double.NaN : figure.applyAsDouble(stores.past.plus(stores.work()));
  }

  /** Returns the mean of a figure over the regions of a family that know it; NaN if none does. */
  double mean(Family family, ToDoubleFunction<StoreStatistics> figure) {
    return now().families.getOrDefault(family, Stores.NONE).present.stream()
        .mapToDouble(figure)
        .filter(value -> !Double.isNaN(value))
        .average()
        .orElse(Double.NaN);
  }

  /** Returns the families of the newest statistics, without taking others. */
  synchronized List<Family> knownFamilies() {
    return latest == null ? List.of() : List.copyOf(latest.families.keySet());
  }

  /** Returns the families that there are. */
  List<Family> families() {
    return List.copyOf(now().families.keySet());
  }
}
