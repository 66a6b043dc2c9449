// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.WriteBatch;
import io.accordiondb.typed.Codec;
import io.accordiondb.typed.Codecs;
import io.accordiondb.typed.KeyCodec;
import io.accordiondb.typed.Tuple2Codec;
import io.accordiondb.typed.TypedIterator;
import io.accordiondb.typed.TypedStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Typed views, as the guide has them. */
final class TypedTest {
  record UserId(long number) {}

  record Cart(byte[] toBytes) {
    static Cart fromBytes(byte[] bytes) {
      return new Cart(bytes);
    }
  }

  // code: order-key
  record OrderKey(String customer, Instant at) {}

  static final Tuple2Codec<OrderKey, String, Instant> ORDER_KEYS =
      Codecs.tuple(
          Codecs.STRING,
          OrderKey::customer,
          Codecs.INSTANT.descending(),
          OrderKey::at, // the newest order first
          OrderKey::new);

  // end

  @Test
  void store() throws IOException {
    List<String> used = new ArrayList<>();
    try (Database database = Database.inMemory()) {
      // code: typed-store
      TypedStore<String, Long> hits =
          TypedStore.of(database.keyValueStore("hits"), Codecs.STRING, Codecs.LONG);
      hits.put("index.html", 1L);
      Long now = hits.get("index.html"); // null if there is none
      hits.compareAndSet("index.html", now, 2L);
      try (TypedIterator<String, Long> pages = hits.range("a", "k")) {
        pages.forEachRemaining(page -> used.add(page.getKey() + " " + page.getValue()));
      }
      // end
      assertThat(used).containsExactly("index.html 2");
      // code: typed-map
      hits.asMap().merge("index.html", 1L, Long::sum);
      // end
      assertThat(hits.get("index.html")).isEqualTo(3L);
    }
  }

  @Test
  void codecs() {
    // code: codecs
    KeyCodec<UserId> userIds = Codecs.LONG.map(UserId::new, UserId::number);
    Codec<Cart> carts = Codec.of(Cart::toBytes, Cart::fromBytes);
    // end
    assertThat(userIds).isNotNull();
    assertThat(carts).isNotNull();
  }

  @Test
  void tuplesAndBatches() throws IOException {
    List<String> used = new ArrayList<>();
    try (Database database = Database.inMemory()) {
      TypedStore<String, Long> hits =
          TypedStore.of(database.keyValueStore("hits"), Codecs.STRING, Codecs.LONG);
      // code: order-prefix
      TypedStore<OrderKey, String> orders =
          TypedStore.of(database.keyValueStore("orders"), ORDER_KEYS, Codecs.STRING);
      WriteBatch batch = new WriteBatch();
      orders.addPut(batch, new OrderKey("ann", Instant.now()), "books");
      hits.addDelete(batch, "index.html");
      database.write(batch);
      try (TypedIterator<OrderKey, String> ofAnn = orders.prefix(ORDER_KEYS.prefix("ann"))) {
        ofAnn.forEachRemaining(order -> used.add(order.getValue())); // the newest order first
      }
      // end
      assertThat(used).containsExactly("books");
    }
  }
}
