// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents.code;

// code: sessions
import io.accordiondb.CompactionFilter;
import io.accordiondb.CompactionFilter.Decision;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

class Sessions {
  public static void main(String[] arguments) throws IOException {
    CompactionFilter revoked =
        session ->
            session.value().hasRemaining() && session.value().get() == 'r'
                ? Decision.DROP
                : Decision.KEEP;
    DatabaseOptions options =
        DatabaseOptions.builder().compactionFilter("revoked", revoked).build();
    try (Database database = Database.open(Path.of("sessions"), options)) {
      FamilyDescriptor family =
          FamilyDescriptor.builder(KeyValueStore.FAMILY)
              .ttlMillis(Duration.ofDays(30).toMillis())
              .compactionFilter("revoked")
              .filtersReads(true)
              .build();
      KeyValueStore sessions = database.keyValueStore("sessions", family);
      sessions.put("anna".getBytes(), "active".getBytes(), Duration.ofHours(1).toMillis());
      sessions.put("bert".getBytes(), "revoked".getBytes());
      System.out.println(sessions.get("anna".getBytes()) != null); // true, for an hour
      System.out.println(sessions.get("bert".getBytes()) != null); // false
    }
  }
}
// end
