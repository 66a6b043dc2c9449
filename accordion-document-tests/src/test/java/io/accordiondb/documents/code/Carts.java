// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents.code;

// code: carts
import io.accordiondb.Database;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.nio.file.Path;

public class Carts {
  public static void main(String[] arguments) throws IOException {
    try (Database database = Database.open(Path.of("data"))) {
      KeyValueStore carts = database.keyValueStore("carts");
      carts.put("ann".getBytes(), "3 books".getBytes());
      System.out.println(new String(carts.get("ann".getBytes())));
    }
  }
}
// end
