// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.killAtWork;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of an index that follows changes is killed, and is right when it has caught up. */
@Tag("slow")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class KilledIndexTest {
  private static final int ROUNDS = 4;
  private static final int MILLIS_MAX = 300;

  @TempDir Path folder;

  private static Database open(Path folder) throws IOException {
    return Database.open(
        folder.resolve("database"),
        DatabaseOptions.builder()
            .memoryBytes(4 << 20)
            .logFileBytes(64 << 10)
            .durability(Durability.SYNC)
            .logRetention(Duration.ofDays(1))
            .build());
  }

  @Test
  void theIndexIsThatOfTheOrders() throws Exception {
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    for (int round = 0; round < ROUNDS; round++) {
      killAtWork(
          javaProcess(List.of(), Shop.class, folder),
          folder.resolve("begun"),
          Duration.ofMillis(random.nextLong(MILLIS_MAX)));
    }
    try (Database database = open(folder);
        OrdersByCustomer index = new OrdersByCustomer(database)) {
      int left = 0;
      while (index.next(Duration.ZERO)) {
        left++;
      }
      List<String> expected = new ArrayList<>();
      for (KeyValue order : entries(database.keyValueStore(OrdersByCustomer.ORDERS))) {
        expected.add(new String(OrdersByCustomer.entryOf(order.value(), order.key()), US_ASCII));
      }
      expected.sort(null);
      List<String> indexed = new ArrayList<>();
      for (KeyValue entry : entries(database.keyValueStore("orders-by-customer"))) {
        indexed.add(new String(entry.key(), US_ASCII));
      }
      assertThat(indexed).as("%d changes were left", left).isNotEmpty().isEqualTo(expected);
    }
  }

  private static List<KeyValue> entries(KeyValueStore store) throws IOException {
    List<KeyValue> entries = new ArrayList<>();
    try (KeyValueIterator all = store.range(null, null)) {
      while (all.hasNext()) {
        entries.add(all.next());
      }
    }
    return entries;
  }

  /** Takes, moves and cancels orders, and indexes them on another thread, until it is killed. */
  static final class Shop {
    private Shop() {}

    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(List.of(arguments).get(0));
      SplittableRandom random = new SplittableRandom();
      try (Database database = open(folder)) {
        KeyValueStore orders = database.keyValueStore(OrdersByCustomer.ORDERS);
        Thread indexer = new Thread(() -> index(database));
        indexer.setDaemon(true);
        indexer.start();
        Files.writeString(folder.resolve("begun"), "");
        while (true) {
          byte[] order = Integer.toString(random.nextInt(1000)).getBytes(US_ASCII);
          if (random.nextInt(4) == 0) {
            orders.delete(order);
          } else {
            orders.put(order, ("customer" + random.nextInt(50)).getBytes(US_ASCII));
          }
          if (random.nextInt(2000) == 0) {
            database.flush();
          }
        }
      }
    }

    private static void index(Database database) {
      try (OrdersByCustomer index = new OrdersByCustomer(database)) {
        while (true) {
          index.next(Duration.ofSeconds(1));
        }
      } catch (IOException e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
    }
  }
}
