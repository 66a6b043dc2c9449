// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents.code;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangedCell;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Change feeds, as the guide has them. */
final class FeedTest {
  private static final byte[] TOKEN = "token".getBytes(UTF_8);

  @TempDir private Path folder;

  @Test
  void feed() throws Exception {
    // code: log-retention
    DatabaseOptions options =
        DatabaseOptions.builder()
            .logRetention(Duration.ofDays(7))
            .logRetentionBytesMax(10L << 30)
            .build();
    // end
    try (Database database = Database.open(folder, options)) {
      database.keyValueStore("orders").put("1".getBytes(UTF_8), "ann".getBytes(UTF_8));
      assertThat(follow(database)).containsExactly("1");
      database.keyValueStore("orders").put("2".getBytes(UTF_8), "bob".getBytes(UTF_8));
      assertThat(follow(database)).containsExactly("2");
    }
  }

  private static List<String> follow(Database database) throws Exception {
    List<String> rows = new ArrayList<>();
    // code: feed
    KeyValueStore progress = database.keyValueStore("progress");
    byte[] token = progress.get(TOKEN);
    try (ChangeFeed feed =
        token == null
            ? database.changes(0, "orders") // all that was ever written
            : database.changesAfter(new String(token, US_ASCII), "orders")) {
      Change change = feed.next(Duration.ofSeconds(1)); // null if nothing was written
      while (change != null) {
        for (ChangedCell changed : change.cells()) {
          rows.add(new String(changed.cell().row(), UTF_8)); // a value, an operand, or a deletion
        }
        progress.put(TOKEN, feed.token().getBytes(US_ASCII));
        change = feed.next(Duration.ofSeconds(1));
      }
    }
    // end
    return rows;
  }
}
