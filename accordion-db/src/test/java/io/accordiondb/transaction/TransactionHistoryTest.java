// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.transaction;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Isolation;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.Snapshot;
import io.accordiondb.Transaction;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.merge.MergeOperators;
import io.accordiondb.transaction.History.Anomaly;
import io.accordiondb.transaction.History.Op;
import io.accordiondb.transaction.History.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Clients run random transactions on few keys, at times while the disk fails, and {@link History}
 * looks for anomalies in what they have read. The clients are threads, or take turns.
 */
class TransactionHistoryTest {
  private static final List<String> KEYS = List.of("a", "b", "c", "d");
  private static final List<String> REGION_STARTS = List.of("b", "c");

  /** A store whose lists are put, and one with a merge operator that appends to them. */
  private static final List<String> STORES = List.of("put", "appended");

  private static final int CLIENTS = 3;
  private static final int TRANSACTIONS = 150;
  private static final long SEEDS = 6;

  /** A scan stops after so many at the most, so that many scans do not see the end. */
  private static final int ENTRIES_MAX = 3;

  /** In one step of so many, cells are moved. */
  private static final int UPKEEP_STEPS = 20;

  /** With later seeds, the clients take turns. */
  private static final long SEEDS_IN_THREADS = 2;

  private final AtomicInteger lastElement = new AtomicInteger();
  private final AtomicBoolean diskFailed = new AtomicBoolean();

  /** Whether operations bypass the transactions that they should belong to. */
  private boolean apart;

  private final List<History.Transaction> history = Collections.synchronizedList(new ArrayList<>());

  @Test
  void serializableTransactionsShowNoAnomaly() throws Exception {
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertThat(anomalies(Isolation.SERIALIZABLE, seed)).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void snapshotTransactionsShowWriteSkewAtMost() throws Exception {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Set<Anomaly> found = anomalies(Isolation.SNAPSHOT, seed);
      found.remove(Anomaly.G2);
      assertThat(found).as("seed %d", seed).isEmpty();
    }
  }

  private Set<Anomaly> anomalies(Isolation isolation, long seed) throws Exception {
    history.clear();
    diskFailed.set(false);
    run(isolation, seed, seed % 2 == 0, seed <= SEEDS_IN_THREADS);
    Set<Anomaly> found = EnumSet.noneOf(Anomaly.class);
    found.addAll(History.anomalies(history));
    return found;
  }

  @Test
  void writeSkewOfSnapshotsIsFound() throws Exception {
    Set<Anomaly> found = EnumSet.noneOf(Anomaly.class);
    for (long seed = 100; seed < 150 && found.isEmpty(); seed++) {
      history.clear();
      // Threads may happen to run one after another.
      run(Isolation.SNAPSHOT, seed, false, seed % 2 == 0);
      found.addAll(History.anomalies(history));
    }
    assertThat(found).containsExactly(Anomaly.G2);
  }

  /** The runs are hard enough: where every operation stands for itself, reads do not agree. */
  @Test
  void withoutTransactionsReadsAreNotRepeatable() throws Exception {
    Set<Anomaly> found = EnumSet.noneOf(Anomaly.class);
    apart = true;
    for (long seed = 200; seed < 250 && !found.contains(Anomaly.INTERNAL); seed++) {
      history.clear();
      run(Isolation.SNAPSHOT, seed, false, seed % 2 == 0);
      found.addAll(History.anomalies(history));
    }
    assertThat(found).contains(Anomaly.INTERNAL);
  }

  private void run(Isolation isolation, long seed, boolean faults, boolean inThreads)
      throws Exception {
    MemoryStorage disk = new MemoryStorage();
    FaultyStorage storage = new FaultyStorage(disk);
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(1 << 20)
            .storeFlushBytes(16 << 10)
            .durability(Durability.SYNC)
            .logWriting(LogWriting.PLAIN)
            .build();
    Database database = DatabaseEngine.open(storage, options);
    createStores(database);
    if (faults) {
      storage.failForEver(FaultyStorage.CHANGES, 100 + 10 * seed);
    }
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Client(database, isolation, new SplittableRandom(seed * CLIENTS + i)));
    }
    if (inThreads) {
      runAll(clients);
    } else {
      runInTurn(clients, new SplittableRandom(seed));
    }
    assertThat(diskFailed.get()).isEqualTo(faults);
    clients.forEach(Client::release);
    try {
      database.close();
    } catch (IOException e) {
      assertThat(faults).as("%s", e).isTrue();
    }
    // What is found after all tells what became of those that failed.
    try (Database after = DatabaseEngine.open(disk, options);
        Transaction last = after.beginTransaction()) {
      List<Op> ops = new ArrayList<>();
      for (String store : STORES) {
        scan(last.keyValueStore(store), 0, KEYS.size(), false, KEYS.size() + 1, ops);
      }
      history.add(new History.Transaction(ops, Outcome.COMMITTED));
    }
    assertThat(history.stream().filter(each -> each.outcome() == Outcome.COMMITTED).count())
        .isGreaterThan(20);
  }

  private static void createStores(Database database) throws IOException {
    database.keyValueStore("put");
    // They do not expire, but compactions have to look.
    database.keyValueStore(
        "appended",
        FamilyDescriptor.builder(KeyValueStore.FAMILY)
            .mergeOperator(MergeOperators.append().name())
            .ttlMillis(TimeUnit.DAYS.toMillis(1))
            .build());
    for (String store : STORES) {
      for (String key : REGION_STARTS) {
        database.splitRegion(store, bytes(key));
      }
    }
  }

  private static void runAll(List<Client> clients) throws Exception {
    List<TestThread> threads = new ArrayList<>();
    for (Client client : clients) {
      threads.add(
          TestThread.start(
              "client " + threads.size(),
              () -> {
                while (!client.isDone()) {
                  client.step();
                  Thread.yield();
                }
              }));
    }
    for (TestThread thread : threads) {
      thread.join();
    }
  }

  /** Mixes the steps of the clients as the seed says. */
  private static void runInTurn(List<Client> clients, RandomGenerator random) {
    List<Client> left = new ArrayList<>(clients);
    while (!left.isEmpty()) {
      left.get(random.nextInt(left.size())).step();
      left.removeIf(Client::isDone);
    }
  }

  /** Runs transactions one after another, a step at a time. */
  private final class Client {
    private final Database database;
    private final Isolation isolation;
    private final RandomGenerator random;
    private int begun;
    private @Nullable Transaction transaction;
    private List<Op> ops = new ArrayList<>();
    private int opsLeft;
    private @Nullable Snapshot held;

    Client(Database database, Isolation isolation, RandomGenerator random) {
      this.database = database;
      this.isolation = isolation;
      this.random = random;
    }

    boolean isDone() {
      return begun == TRANSACTIONS && transaction == null;
    }

    /** Begins a transaction, does one operation of it, or ends it. */
    void step() {
      Outcome outcome = Outcome.ABORTED;
      try {
        if (transaction == null) {
          begun++;
          transaction = database.beginTransaction(isolation);
          opsLeft = 1 + random.nextInt(4);
        }
        if (random.nextInt(UPKEEP_STEPS) == 0) {
          upkeep();
        }
        if (opsLeft > 0) {
          opsLeft--;
          operate(apart ? null : transaction);
          return;
        }
        if (apart || random.nextInt(8) > 0) {
          outcome = Outcome.UNKNOWN;
          transaction.commit();
          outcome = Outcome.COMMITTED;
        }
      } catch (TransactionConflictException e) {
        outcome = Outcome.ABORTED;
      } catch (IOException | UncheckedIOException e) {
        // What was being committed may be found later, or not. Iterators throw the latter.
        diskFailed.set(true);
      }
      if (transaction != null) {
        transaction.close();
        transaction = null;
      }
      history.add(new History.Transaction(ops, outcome));
      ops = new ArrayList<>();
    }

    /** Moves what there is, drops what nobody sees, and holds what others do not. */
    private void upkeep() throws IOException {
      String store = STORES.get(random.nextInt(STORES.size()));
      byte[] key = bytes(KEYS.get(random.nextInt(KEYS.size())));
      switch (random.nextInt(7)) {
        case 0 -> database.flushInMemory(store);
        case 1 -> database.flush(store);
        case 2, 3 -> {
          database.flush(store);
          database.majorCompact(store);
        }
        case 4 -> database.splitRegion(store, key);
        case 5 -> database.mergeRegions(store, key);
        default -> {
          release();
          held = database.snapshot();
        }
      }
    }

    /** Releases the snapshot that is held beside the transactions. */
    void release() {
      if (held != null) {
        held.close();
        held = null;
      }
    }

    /** Does an operation in a transaction, or by itself. */
    private void operate(@Nullable Transaction within) throws IOException {
      String name = STORES.get(random.nextInt(STORES.size()));
      KeyValueStore store =
          within == null ? database.keyValueStore(name) : within.keyValueStore(name);
      String key = KEYS.get(random.nextInt(KEYS.size()));
      int element = lastElement.incrementAndGet();
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> scan(store, random, ops);
        case 3 -> ops.add(Op.read(nameOf(store, key), listOf(store.get(bytes(key)))));
        case 4 -> {
          byte[] value =
              within == null ? store.get(bytes(key)) : within.getForUpdate(name, bytes(key));
          ops.add(Op.read(nameOf(store, key), listOf(value)));
        }
        case 5, 6 -> {
          if (name.equals("appended")) {
            store.merge(bytes(key), bytesOf(List.of(element)));
            ops.add(Op.append(nameOf(store, key), element));
          } else {
            append(store, key, element);
          }
        }
        default -> append(store, key, element);
      }
    }

    private void append(KeyValueStore store, String key, int element) throws IOException {
      List<Integer> list = new ArrayList<>(listOf(store.get(bytes(key))));
      ops.add(Op.read(nameOf(store, key), list));
      list.add(element);
      store.put(bytes(key), bytesOf(list));
      ops.add(Op.append(nameOf(store, key), element));
    }
  }

  private static String nameOf(KeyValueStore store, String key) {
    return store.name() + "/" + key;
  }

  /** Scans some keys upwards or downwards, to the end or a part of the way. */
  private static void scan(KeyValueStore store, RandomGenerator random, List<Op> ops)
      throws IOException {
    int from = random.nextInt(KEYS.size());
    int to = from + 1 + random.nextInt(KEYS.size() - from);
    scan(store, from, to, random.nextBoolean(), 1 + random.nextInt(ENTRIES_MAX), ops);
  }

  /** Scans a range of {@link #KEYS}, and notes what it has read of those that it has passed. */
  private static void scan(
      KeyValueStore store, int from, int to, boolean downwards, int entriesMax, List<Op> ops)
      throws IOException {
    List<String> keys = new ArrayList<>(KEYS.subList(from, to));
    byte @Nullable [] first = from == 0 ? null : bytes(KEYS.get(from));
    byte @Nullable [] end = to == KEYS.size() ? null : bytes(KEYS.get(to));
    Map<String, List<Integer>> found = new HashMap<>();
    if (downwards) {
      Collections.reverse(keys);
    }
    try (KeyValueIterator all =
        downwards ? store.reverseRange(first, end) : store.range(first, end)) {
      while (all.hasNext()) {
        KeyValue next = all.next();
        String key = new String(next.key(), US_ASCII);
        found.put(key, listOf(next.value()));
        if (found.size() == entriesMax) {
          keys = keys.subList(0, keys.indexOf(key) + 1);
          break;
        }
      }
    }
    keys.forEach(key -> ops.add(Op.read(nameOf(store, key), found.getOrDefault(key, List.of()))));
  }

  private static List<Integer> listOf(byte[] value) {
    List<Integer> list = new ArrayList<>();
    if (value != null) {
      ByteBuffer buffer = ByteBuffer.wrap(value);
      while (buffer.hasRemaining()) {
        list.add(buffer.getInt());
      }
    }
    return list;
  }

  private static byte[] bytesOf(List<Integer> list) {
    ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES * list.size());
    list.forEach(buffer::putInt);
    return buffer.array();
  }
}
