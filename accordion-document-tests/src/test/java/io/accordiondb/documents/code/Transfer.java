// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents.code;

// code: transfer
import io.accordiondb.Database;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

class Transfer {
  public static void main(String[] arguments) throws IOException {
    try (Database database = Database.open(Path.of("bank"))) {
      KeyValueStore accounts = database.keyValueStore("accounts");
      byte[] alice = "alice".getBytes();
      byte[] bob = "bob".getBytes();
      accounts.increment(alice, 100);

      boolean done =
          database.transact(
              transaction -> {
                KeyValueStore own = transaction.keyValueStore("accounts");
                byte[] balance = own.get(alice);
                if (balance == null || ByteBuffer.wrap(balance).getLong() < 30) {
                  return false;
                }
                own.increment(alice, -30);
                own.increment(bob, 30);
                return true;
              });
      System.out.println(done);
    }
  }
}
// end
