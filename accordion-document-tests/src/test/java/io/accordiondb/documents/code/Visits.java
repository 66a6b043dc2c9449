// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents.code;

// code: visits
import io.accordiondb.Database;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueStore;
import io.accordiondb.merge.MergeOperators;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

class Visits {
  public static void main(String[] arguments) throws IOException {
    try (Database database = Database.open(Path.of("visits"))) {
      FamilyDescriptor counters =
          FamilyDescriptor.builder(KeyValueStore.FAMILY)
              .mergeOperator(MergeOperators.counter().name())
              .build();
      KeyValueStore visits = database.keyValueStore("visits", counters);
      byte[] page = "/index".getBytes();
      byte[] one = ByteBuffer.allocate(Long.BYTES).putLong(1).array();
      for (int i = 0; i < 1000; i++) {
        visits.merge(page, one);
      }
      System.out.println(ByteBuffer.wrap(visits.get(page)).getLong());
    }
  }
}
// end
