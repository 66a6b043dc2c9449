// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents.code;

// code: asynchronous-writes
import io.accordiondb.Database;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.WriteBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

class AsynchronousWrites {
  public static void main(String[] arguments) throws Exception {
    try (Database database = Database.open(Path.of("orders"))) {
      KeyValueStore orders = database.keyValueStore("orders");
      List<CompletableFuture<?>> stages = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        byte[] key = ("order" + i).getBytes();
        WriteBatch batch = new WriteBatch().put(orders, key, "new".getBytes());
        stages.add(database.writeAsync(batch, Durability.FSYNC).toCompletableFuture());
      }
      // Returns when all batches are on the device, and throws if one is not.
      CompletableFuture.allOf(stages.toArray(new CompletableFuture<?>[0])).join();
      System.out.println(orders.approximateCount());
    }
  }
}
// end
