// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents.code;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueCursor;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys and values, as the guide has them. */
final class KeyValueTest {
  private final byte[] key = bytes("ann");
  private final byte[] value = bytes("3 books");
  private final byte[] from = bytes("a");
  private final byte[] to = bytes("b");
  private final List<String> processed = new ArrayList<>();
  private Database database;

  @BeforeEach
  void open() throws IOException {
    database = Database.inMemory();
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private void process(byte[] ofKey, byte[] ofValue) {
    processed.add(new String(ofKey, UTF_8) + "=" + new String(ofValue, UTF_8));
  }

  private void process(ByteBuffer ofKey, ByteBuffer ofValue) {
    processed.add(UTF_8.decode(ofKey) + "=" + UTF_8.decode(ofValue));
  }

  @Test
  void operations() throws IOException {
    byte[] other = bytes("4 books");
    // code: operations
    KeyValueStore carts = database.keyValueStore("carts"); // created if it does not exist
    carts.put(key, value);
    byte[] old = carts.getAndPut(key, other);
    boolean changed = carts.compareAndSet(key, other, value); // null: expects, or leaves, no value
    byte[] present = carts.putIfAbsent(key, value); // null if the put was done
    try (KeyValueIterator some = carts.range(from, to)) { // from inclusive, to exclusive
      some.forEachRemaining(entry -> process(entry.key(), entry.value()));
    }
    KeyValue next = carts.ceiling(key); // the lowest key at or above; null if there is none
    // end
    assertThat(old).isEqualTo(value);
    assertThat(changed).isTrue();
    assertThat(present).isEqualTo(value);
    assertThat(processed).containsExactly("ann=3 books");
    assertThat(next.key()).isEqualTo(key);
  }

  @Test
  void batch() throws IOException {
    KeyValueStore carts = database.keyValueStore("carts");
    KeyValueStore orders = database.keyValueStore("orders");
    byte[] id = bytes("1");
    carts.put(key, value);
    // code: batch
    database.write(new WriteBatch().delete(carts, key).put(orders, id, value));
    // end
    assertThat(carts.get(key)).isNull();
    assertThat(orders.get(id)).isEqualTo(value);
  }

  @Test
  void storeWithOptions() throws IOException {
    // code: store-options
    FamilyDescriptor options =
        FamilyDescriptor.builder(KeyValueStore.FAMILY).ttlMillis(3_600_000).build();
    KeyValueStore sessions = database.keyValueStore("sessions", options);
    // end
    sessions.put(key, value);
    assertThat(sessions.get(key)).isEqualTo(value);
  }

  @Test
  void increment() throws IOException {
    KeyValueStore visits = database.keyValueStore("visits");
    // code: increment
    long sum = visits.increment(key, 5); // 5: a key without a value counts as 0
    long read = ByteBuffer.wrap(visits.get(key)).getLong();
    visits.put(key, ByteBuffer.allocate(Long.BYTES).putLong(100).array()); // sets the counter
    // end
    assertThat(sum).isEqualTo(5);
    assertThat(read).isEqualTo(5);
    assertThat(visits.increment(key, 1)).isEqualTo(101);
  }

  @Test
  void snapshot() throws IOException {
    KeyValueStore carts = database.keyValueStore("carts");
    database.createTable(TableDescriptor.of("orders", "f"));
    Table orders = database.table("orders");
    byte[] row = bytes("1");
    orders.put(new Put(row).addColumn(bytes("f"), bytes("q"), value));
    carts.put(key, value);
    // code: snapshot
    try (Snapshot snapshot = database.snapshot()) {
      byte[] then = carts.at(snapshot).get(key);
      Result order = orders.get(new Get(row).setSnapshot(snapshot));
      process(then, order.row());
    }
    // end
    assertThat(processed).containsExactly("3 books=1");
  }

  @Test
  void cursor() throws IOException {
    KeyValueStore store = database.keyValueStore("carts");
    store.put(key, value);
    // code: cursor
    try (KeyValueCursor cursor = store.cursor()) {
      for (boolean stands = cursor.seek(from); stands; stands = cursor.next()) {
        process(cursor.key(), cursor.value());
      }
    }
    // end
    assertThat(processed).containsExactly("ann=3 books");
  }

  @Test
  void deleteRange() throws IOException {
    KeyValueStore carts = database.keyValueStore("carts");
    database.createTable(TableDescriptor.of("events", "f"));
    Table events = database.table("events");
    byte[] lastDay = bytes("2026-01-31");
    carts.put(key, value);
    // code: delete-range
    carts.deleteRange(from, to); // from inclusive, to exclusive; null for an open end
    events.deleteRange(new byte[0], lastDay); // rows below a row
    database.write(
        new WriteBatch().deleteRange(carts, from, to).put(carts, from, value)); // the put stays
    // end
    assertThat(carts.get(key)).isNull();
    assertThat(carts.get(from)).isEqualTo(value);
  }

  @Test
  void queue() throws IOException {
    KeyValueStore queue = database.keyValueStore("queue");
    queue.put(bytes("1"), value);
    // code: queue
    KeyValue next = queue.first();
    if (next != null) {
      process(next.key(), next.value());
      queue.delete(next.key());
    }
    // end
    assertThat(processed).containsExactly("1=3 books");
    assertThat(queue.first()).isNull();
  }
}
