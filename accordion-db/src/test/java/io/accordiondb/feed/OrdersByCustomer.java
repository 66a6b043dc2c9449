// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangedCell;
import io.accordiondb.Database;
import io.accordiondb.KeyValueStore;
import io.accordiondb.WriteBatch;
import io.accordiondb.encoding.CellType;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An index of orders by customer, as docs/GUIDE.md has it. Orders are the entries of a store whose
 * values are their customers. May be killed at any moment.
 */
final class OrdersByCustomer implements Closeable {
  static final String ORDERS = "orders";
  private static final byte[] TOKEN = {'t'};

  private final Database database;
  private final KeyValueStore index;
  private final KeyValueStore customers;
  private final KeyValueStore progress;
  private final ChangeFeed feed;

  OrdersByCustomer(Database database) throws IOException {
    this.database = database;
    index = database.keyValueStore("orders-by-customer");
    customers = database.keyValueStore("customer-of-order");
    progress = database.keyValueStore("progress");
    byte[] token = progress.get(TOKEN);
    feed =
        token == null
            ? database.changes(0, ORDERS)
            : database.changesAfter(new String(token, US_ASCII), ORDERS);
  }

  /** Indexes the next change; returns false if there was none for so long. */
  boolean next(Duration timeout) throws IOException {
    Change change = feed.next(timeout);
    if (change == null) {
      return false;
    }
    // A cell at a time, because a change may have several of one order; it may be applied again.
    for (ChangedCell changed : change.cells()) {
      byte[] order = changed.cell().row();
      WriteBatch batch = new WriteBatch();
      byte[] before = customers.get(order);
      if (before != null) {
        batch.delete(index, entryOf(before, order));
      }
      if (changed.cell().type() == CellType.PUT) {
        batch.put(index, entryOf(changed.cell().value(), order), new byte[0]);
        batch.put(customers, order, changed.cell().value());
      } else {
        batch.delete(customers, order);
      }
      database.write(batch);
    }
    progress.put(TOKEN, feed.token().getBytes(US_ASCII));
    return true;
  }

  static byte[] entryOf(byte @Nullable [] customer, byte[] order) {
    byte[] known = customer == null ? new byte[0] : customer;
    return ByteBuffer.allocate(known.length + 1 + order.length)
        .put(known)
        .put((byte) '/')
        .put(order)
        .array();
  }

  @Override
  public void close() throws IOException {
    feed.close();
  }
}
