// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.Delete;
import io.accordiondb.Get;
import io.accordiondb.Increment;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shopping carts: a row for each customer, with a column for each item that counts its pieces. A
 * checkout moves the cart into the orders in one transaction.
 */
public final class ShoppingCarts {
  private static final byte[] ITEMS = "items".getBytes(UTF_8);

  private final Database database;
  private final Table carts;

  /** Creates the tables if they do not exist. */
  public ShoppingCarts(Database database) throws IOException {
    this.database = database;
    for (String table : new String[] {"carts", "orders"}) {
      if (!database.exists(table)) {
        database.createTable(TableDescriptor.of(table, "items"));
      }
    }
    carts = database.table("carts");
  }

  /** Adds pieces of an item to a customer's cart. Other threads may add to it at the same time. */
  public void add(String customer, String item, int pieces) throws IOException {
    carts.increment(new Increment(bytes(customer)).addColumn(ITEMS, bytes(item), pieces));
  }

  /** Returns how many pieces of each item a cart has. */
  public Map<String, Long> cart(String customer) throws IOException {
    return items(carts.get(new Get(bytes(customer))));
  }

  /**
   * Turns a cart into an order, or does nothing if the cart is empty. If another thread changes the
   * cart in the meantime, the database runs the transaction again.
   *
   * @return what was ordered
   */
  public Map<String, Long> checkOut(String customer, String order) throws IOException {
    byte[] row = bytes(customer);
    return database.transact(
        transaction -> {
          Result cart = transaction.getForUpdate("carts", new Get(row));
          if (!cart.isEmpty()) {
            Put ordered = new Put(bytes(order));
            for (Cell cell : cart.cells()) {
              ordered.addColumn(ITEMS, cell.qualifier(), cell.value());
            }
            transaction.table("orders").put(ordered);
            transaction.table("carts").delete(new Delete(row));
          }
          return items(cart);
        });
  }

  private static Map<String, Long> items(Result row) {
    Map<String, Long> items = new TreeMap<>();
    for (Cell cell : row.cells()) {
      items.put(new String(cell.qualifier(), UTF_8), ByteBuffer.wrap(cell.value()).getLong());
    }
    return items;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** Fills a cart and checks it out. */
  public static void main(String[] arguments) throws IOException {
    try (Database database = Database.open(Path.of(arguments[0]))) {
      ShoppingCarts shop = new ShoppingCarts(database);
      shop.add("ann", "book", 2);
      shop.add("ann", "pen", 1);
      shop.add("ann", "book", 1);
      System.out.println("cart:    " + shop.cart("ann"));
      System.out.println("ordered: " + shop.checkOut("ann", "order-1"));
      System.out.println("cart:    " + shop.cart("ann"));
    }
  }
}
