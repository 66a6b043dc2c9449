// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.Durability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All that one writer has asked of a database, in order, and what a crash must leave of it.
 *
 * <p>Writes have positions from 0 on. What is there after a crash must be what some number of the
 * first writes leads to, at least those that were acknowledged as durable, and at the most those
 * that had begun. Writes that are not logged may each be missing from that, unless flushed. Changes
 * of the tables are durable one by one, whatever becomes of the writes.
 *
 * <p>A write that was suspended is a write under way until a later one is acknowledged, which shows
 * that writes have resumed. From then on it must not be there. A write that was refused before it
 * began must never be there.
 *
 * <p>Written by one thread, which waits for others that note how its writes have ended; {@link
 * #progress} may be asked for by any, and {@link #check} by many threads once the writer has ended.
 */
final class WriteHistory {
  /** A column of a family, whose number tells it from others of its name before it. */
  record Column(long family, String row, String qualifier) {}

  /** The families of each table, by their names, with their numbers. */
  record Catalog(SortedMap<String, SortedMap<String, Long>> tables) {
    static final Catalog EMPTY = new Catalog(new TreeMap<>());

    Catalog with(String table, SortedMap<String, Long> families) {
      SortedMap<String, SortedMap<String, Long>> changed = new TreeMap<>(tables);
      changed.put(table, families);
      return new Catalog(changed);
    }

    Catalog without(String table) {
      SortedMap<String, SortedMap<String, Long>> changed = new TreeMap<>(tables);
      changed.remove(table);
      return new Catalog(changed);
    }

    Map<String, Set<String>> names() {
      Map<String, Set<String>> names = new TreeMap<>();
      tables.forEach((table, families) -> names.put(table, new TreeSet<>(families.keySet())));
      return names;
    }
  }

  /**
   * What has been acknowledged.
   *
   * @param writes how many of the first writes are visible to readers
   * @param powerProof how many of the first writes survive a loss of power
   * @param killProof how many of the first writes survive the death of the process
   * @param catalog position of the newest catalog known to be in force
   * @param flushed by family, how many of the first writes are in its files, logged or not
   */
  record Progress(
      int writes, int powerProof, int killProof, int catalog, Map<Long, Integer> flushed) {}

  /** What a database holds: the names, and the numbers of the value of each column. */
  record Contents(
      Map<String, Set<String>> names, Map<String, Map<String, List<Long>>> valuesByTable) {}

  /**
   * What a write does to a column. One that is unsure may be missing although later ones are not.
   *
   * @param numbers of the values that are put or appended; empty for a delete
   * @param replaces whether what was there before is gone, as after a put or a delete
   */
  private record Entry(
      int position, List<Long> numbers, boolean replaces, boolean logged, boolean unsure) {
    boolean mayBeMissing(int flushed) {
      return unsure || (!logged && position >= flushed);
    }

    Entry asUnsure() {
      return new Entry(position, numbers, replaces, logged, true);
    }

    /** Returns an entry that appends to what this one leaves. */
    Entry with(long operand) {
      List<Long> longer = new ArrayList<>(numbers);
      longer.add(operand);
      return new Entry(position, longer, replaces, logged, unsure);
    }

    /**
     * Returns how many of the numbers of a value may be there after this entry.
     *
     * @param before by their count, whether the first numbers may be there before
     */
    boolean[] after(boolean[] before, List<Long> value, boolean mayBeMissing) {
      boolean[] after = mayBeMissing ? before.clone() : new boolean[before.length];
      for (int count = 0; count + numbers.size() < before.length; count++) {
        int end = count + numbers.size();
        if ((replaces ? count == 0 : before[count]) && value.subList(count, end).equals(numbers)) {
          after[end] = true;
        }
      }
      return after;
    }
  }

  private final Map<Column, List<Entry>> columns = new HashMap<>();

  /** Positions of the writes that were suspended. */
  private final Set<Integer> suspended = ConcurrentHashMap.newKeySet();

  /** Positions of the writes that were refused before they began. */
  private final Set<Integer> refused = ConcurrentHashMap.newKeySet();

  private final List<Catalog> catalogs = new ArrayList<>(List.of(Catalog.EMPTY));
  private long lastFamily;
  private Durability durability = Durability.SKIP;
  private volatile int started;
  private volatile int catalogsStarted = 1;
  private volatile Progress progress = new Progress(0, 0, 0, 0, Map.of());

  /** Returns a history that begins with what a database holds, durably. */
  static WriteHistory startingWith(Contents contents) {
    WriteHistory history = new WriteHistory();
    Catalog catalog = Catalog.EMPTY;
    for (Map.Entry<String, Set<String>> table : contents.names().entrySet()) {
      catalog = catalog.with(table.getKey(), history.numbered(table.getValue()));
    }
    history.catalogs.set(0, catalog);
    history.begin(Durability.FSYNC);
    for (Map.Entry<String, Map<String, List<Long>>> table : contents.valuesByTable().entrySet()) {
      for (Map.Entry<String, List<Long>> value : table.getValue().entrySet()) {
        history.set(history.columnOf(catalog, table.getKey(), value.getKey()), value.getValue());
      }
    }
    history.acknowledgeWrite();
    return history;
  }

  /** Returns the catalog as the writer knows it. */
  Catalog catalog() {
    return catalogs.get(catalogs.size() - 1);
  }

  Progress progress() {
    return progress;
  }

  int started() {
    return started;
  }

  int catalogsStarted() {
    return catalogsStarted;
  }

  /** Gives new numbers to families. */
  SortedMap<String, Long> numbered(Set<String> families) {
    SortedMap<String, Long> numbers = new TreeMap<>();
    families.forEach(family -> numbers.put(family, ++lastFamily));
    return numbers;
  }

  /** Gives each family of a table what that of the same name has now in another table. */
  void copy(SortedMap<String, Long> from, SortedMap<String, Long> to) {
    Map<Column, List<Entry>> copies = new HashMap<>();
    from.forEach(
        (name, family) ->
            columns.forEach(
                (column, entries) -> {
                  if (column.family == family) {
                    Column copy = new Column(to.get(name), column.row, column.qualifier);
                    copies.put(copy, new ArrayList<>(entries));
                  }
                }));
    columns.putAll(copies);
  }

  /** Begins a write of some durability. */
  void begin(Durability asked) {
    durability = asked;
    started++;
  }

  /** Adds a put of a value to the write that was begun last, or a delete. */
  void add(Column column, @Nullable Long value) {
    set(column, value == null ? List.of() : List.of(value));
  }

  private void set(Column column, List<Long> numbers) {
    Entry unused = takeOfLastWrite(column);
    add(column, newEntry(numbers, true));
  }

  /** Adds an operand, which is appended, to the write that was begun last. */
  void addOperand(Column column, long operand) {
    Entry same = takeOfLastWrite(column);
    add(column, same == null ? newEntry(List.of(operand), false) : same.with(operand));
  }

  private Entry newEntry(List<Long> numbers, boolean replaces) {
    return new Entry(started - 1, numbers, replaces, durability != Durability.SKIP, false);
  }

  private void add(Column column, Entry entry) {
    columns.computeIfAbsent(column, key -> new ArrayList<>()).add(entry);
  }

  /** Takes out what the write that was begun last has done to a column so far. */
  private @Nullable Entry takeOfLastWrite(Column column) {
    List<Entry> entries = columns.getOrDefault(column, List.of());
    int last = entries.size() - 1;
    return last >= 0 && entries.get(last).position == started - 1 ? entries.remove(last) : null;
  }

  /** Notes that the writes not acknowledged have failed: each may be there or not. */
  void failWrites() {
    failWritesFrom(progress.writes);
  }

  /** Notes that the write that was begun last has failed: it may be there or not. */
  void failWrite() {
    failWritesFrom(started - 1);
  }

  private void failWritesFrom(int position) {
    for (List<Entry> entries : columns.values()) {
      entries.replaceAll(entry -> entry.position < position ? entry : entry.asUnsure());
    }
  }

  void acknowledgeWrite() {
    acknowledgeWrites(started, durability);
  }

  /** Notes that the last of the first writes, so many, has failed until writes resume. */
  void suspendWrite(int writes) {
    suspended.add(writes - 1);
  }

  /** Notes that the last of the first writes, so many, was refused before it began. */
  void refuseWrite(int writes) {
    refused.add(writes - 1);
  }

  /**
   * Notes that the first writes were acknowledged, how many, and the durability of the last one.
   */
  void acknowledgeWrites(int writes, Durability asked) {
    Progress old = progress;
    boolean powerProof = asked == Durability.FSYNC;
    boolean killProof = powerProof || asked == Durability.SYNC;
    progress =
        new Progress(
            writes,
            powerProof ? writes : old.powerProof,
            killProof ? writes : old.killProof,
            old.catalog,
            old.flushed);
  }

  /** Notes that all acknowledged writes to a table are in files. */
  void acknowledgeFlush(String table) {
    Map<Long, Integer> flushed = new HashMap<>(progress.flushed);
    int last = 0;
    for (long family : catalog().tables().getOrDefault(table, new TreeMap<>()).values()) {
      flushed.put(family, started);
      last = Math.max(last, lastPutTo(family));
    }
    Progress old = progress;
    progress =
        new Progress(
            old.writes,
            Math.max(old.powerProof, last),
            Math.max(old.killProof, last),
            old.catalog,
            flushed);
  }

  /**
   * Returns how many of the first writes there are up to the last acknowledged put of a family that
   * is visible. A delete, and the puts beneath it, may leave nothing that a flush would write.
   */
  private int lastPutTo(long family) {
    return columns.entrySet().stream()
        .filter(column -> column.getKey().family == family)
        .mapToInt(column -> lastPut(column.getValue()))
        .max()
        .orElse(0);
  }

  private int lastPut(List<Entry> entries) {
    int last = 0;
    for (Entry entry : entries) {
      int position = entry.position;
      if (position < progress.writes
          && !suspended.contains(position)
          && !refused.contains(position)) {
        last = entry.numbers.isEmpty() ? 0 : position + 1;
      }
    }
    return last;
  }

  void beginCatalog(Catalog changed) {
    catalogs.add(changed);
    catalogsStarted = catalogs.size();
  }

  void acknowledgeCatalog() {
    Progress old = progress;
    progress =
        new Progress(old.writes, old.powerProof, old.killProof, catalogs.size() - 1, old.flushed);
  }

  /** Returns whether a change of the tables has begun and was not acknowledged. */
  boolean isCatalogUnderWay() {
    return progress.catalog < catalogsStarted - 1;
  }

  /** Checks what readers see of the database that is being written, or was closed in peace. */
  void checkVisible(Contents contents) {
    Map<Long, Integer> all = new HashMap<>();
    for (long family = 1; family <= lastFamily; family++) {
      all.put(family, started);
    }
    Progress visible =
        new Progress(progress.writes, progress.writes, progress.writes, progress.catalog, all);
    check(contents, visible, false, started, catalogsStarted);
  }

  /**
   * Checks what a crash has left.
   *
   * @param acknowledged what was acknowledged before the crash
   * @param powerLost whether more than the process ended
   * @param begun how many writes had begun by the crash
   * @param catalogsBegun how many catalogs there had been by the crash, with one under way
   */
  void check(
      Contents contents, Progress acknowledged, boolean powerLost, int begun, int catalogsBegun) {
    int atLeast = powerLost ? acknowledged.powerProof : acknowledged.killProof;
    List<String> problems = new ArrayList<>();
    for (int i = acknowledged.catalog; i < catalogsBegun; i++) {
      Catalog candidate = catalogs.get(i);
      if (candidate.names().equals(contents.names())) {
        String problem = problemWith(contents, candidate, atLeast, begun, acknowledged);
        if (problem == null) {
          return;
        }
        problems.add(problem);
      }
    }
    throw new AssertionError(
        problems.isEmpty()
            ? "tables are "
                + contents.names()
                + ", expected one of "
                + catalogs.subList(acknowledged.catalog, catalogsBegun)
            : String.join("\n", problems));
  }

  private @Nullable String problemWith(
      Contents contents, Catalog catalog, int atLeast, int atMost, Progress acknowledged) {
    Map<Column, List<Long>> values = new HashMap<>();
    contents
        .valuesByTable()
        .forEach(
            (table, found) ->
                found.forEach((name, value) -> values.put(columnOf(catalog, table, name), value)));
    Set<Long> families = new TreeSet<>();
    catalog.tables().values().forEach(numbers -> families.addAll(numbers.values()));
    Set<Column> all = new LinkedHashSet<>(values.keySet());
    columns.keySet().stream().filter(column -> families.contains(column.family)).forEach(all::add);

    boolean[] possible = new boolean[atMost + 1];
    Arrays.fill(possible, atLeast, atMost + 1, true);
    List<String> restrictions = new ArrayList<>();
    boolean anyPossible = true;
    for (Column column : all) {
      boolean[] explained = new boolean[atMost + 1];
      explain(column, values.getOrDefault(column, List.of()), acknowledged, explained);
      boolean restricted = false;
      anyPossible = false;
      for (int n = 0; n <= atMost; n++) {
        restricted |= possible[n] && !explained[n];
        possible[n] &= explained[n];
        anyPossible |= possible[n];
      }
      if (restricted) {
        restrictions.add(
            column
                + " is "
                + values.get(column)
                + " of "
                + columns.get(column)
                + ": then "
                + text(possible));
      }
      if (!anyPossible) {
        break;
      }
    }
    return anyPossible
        ? null
        : "no prefix of the "
            + atMost
            + " writes, of which "
            + atLeast
            + " are durable, has\n  "
            + String.join("\n  ", restrictions);
  }

  /** Marks after how many of the first writes a column may have a value. */
  private void explain(
      Column column, List<Long> value, Progress acknowledged, boolean[] explained) {
    int flushed = acknowledged.flushed.getOrDefault(column.family, 0);
    boolean[] possible = new boolean[value.size() + 1];
    possible[0] = true;
    int from = 0;
    for (Entry entry : columns.getOrDefault(column, List.of())) {
      if (wasRefused(entry, acknowledged)) {
        continue;
      }
      if (possible[value.size()]) {
        mark(explained, from, entry.position);
      }
      possible = entry.after(possible, value, entry.mayBeMissing(flushed));
      from = entry.position + 1;
    }
    if (possible[value.size()]) {
      mark(explained, from, explained.length - 1);
    }
  }

  /** Returns whether a write was refused, or was suspended and writes have resumed without it. */
  private boolean wasRefused(Entry entry, Progress acknowledged) {
    return refused.contains(entry.position)
        || (entry.position < acknowledged.writes && suspended.contains(entry.position));
  }

  private static void mark(boolean[] explained, int from, int to) {
    for (int n = from; n <= Math.min(to, explained.length - 1); n++) {
      explained[n] = true;
    }
  }

  private static String text(boolean[] possible) {
    List<Integer> numbers = new ArrayList<>();
    for (int n = 0; n < possible.length; n++) {
      if (possible[n]) {
        numbers.add(n);
      }
    }
    return numbers.size() > 8 ? numbers.subList(0, 8) + "..." : numbers.toString();
  }

  /** Returns the column that contents name "row/family:qualifier". */
  Column columnOf(Catalog catalog, String table, String name) {
    int slash = name.indexOf('/');
    int colon = name.indexOf(':');
    String family = name.substring(slash + 1, colon);
    SortedMap<String, Long> families = catalog.tables().get(table);
    Long number = families == null ? null : families.get(family);
    if (number == null) {
      throw new AssertionError("there is a column " + name + " in no family of " + table);
    }
    return new Column(number, name.substring(0, slash), name.substring(colon + 1));
  }
}
