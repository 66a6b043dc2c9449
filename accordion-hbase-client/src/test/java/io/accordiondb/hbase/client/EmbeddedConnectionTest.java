// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.Q;
import static io.accordiondb.hbase.client.TestTables.ROW;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.cells;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseLockedException;
import io.accordiondb.NotADatabaseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opening, sharing and closing connections, and what HBase's factory makes of a configuration. */
class EmbeddedConnectionTest {
  @TempDir Path folder;

  @Test
  void factoryMakesConnectionsOfBothKinds() throws Exception {
    Configuration conf = TestTables.configuration();
    EmbeddedConnection.configure(conf, folder.resolve("store"));
    try (Connection connection = ConnectionFactory.createConnection(conf);
        AsyncConnection async =
            ConnectionFactory.createAsyncConnection(conf).get(20, TimeUnit.SECONDS)) {
      assertThat(connection).isInstanceOf(EmbeddedConnection.class);
      assertThat(async).isInstanceOf(EmbeddedAsyncConnection.class);
      Table table = TestTables.create(connection, TABLE, 1, "f");
      table.put(put("row", "f", "q", 1, "v"));
      assertThat(cells(async.getTable(TABLE).get(new Get(ROW)).get(20, TimeUnit.SECONDS)))
          .containsExactly("row/f:q/1/v");
    }
  }

  @Test
  void aRefusedConnectionLeavesTheDatabaseClosed() throws IOException {
    Path store = folder.resolve("store");
    for (String key : List.of("accordion.client.threads", "hbase.client.write.buffer")) {
      for (boolean async : new boolean[] {false, true}) {
        Configuration conf = TestTables.configuration();
        EmbeddedConnection.configure(conf, store);
        conf.set(key, "x");
        assertThatThrownBy(
                () -> {
                  if (async) {
                    ConnectionFactory.createAsyncConnection(conf).get(20, TimeUnit.SECONDS);
                  } else {
                    ConnectionFactory.createConnection(conf);
                  }
                })
            .hasRootCauseInstanceOf(NumberFormatException.class);
        Database.open(store).close();
      }
    }
    Configuration none = TestTables.configuration();
    none.set("accordion.client.threads", "0");
    assertThatThrownBy(() -> EmbeddedConnection.open(store, none))
        .hasMessageContaining("accordion.client.threads is 0");
    Database.open(store).close();
  }

  @Test
  void administrationsEndWithTheirConnection() throws IOException {
    Path store = folder.resolve("store");
    try (Connection other = EmbeddedConnection.open(store, TestTables.configuration())) {
      Connection connection = EmbeddedConnection.open(store, TestTables.configuration());
      Admin admin = connection.getAdmin();
      RegionLocator locator = connection.getRegionLocator(TABLE);
      TestTables.create(other, TABLE, 1, "f");
      assertThat(locator.getStartKeys()).hasNumberOfRows(1);
      connection.close();
      assertRefused(admin::listTableNames);
      assertRefused(locator::getStartKeys);
      admin.close();
      assertThat(other.getAdmin().listTableNames()).containsExactly(TABLE);
    }
  }

  @Test
  void dataSurvivesTheLastConnection() throws IOException {
    Path store = folder.resolve("store");
    try (Connection first = EmbeddedConnection.open(store, TestTables.configuration());
        Connection second = EmbeddedConnection.open(store, TestTables.configuration())) {
      TestTables.create(first, TABLE, 1, "f").put(put("row", "f", "q", 1, "v"));
      first.close();
      first.close();
      assertThat(first.isClosed()).isTrue();
      assertThat(second.getTable(TABLE).exists(new Get(ROW))).isTrue();
    }
    try (Connection again = EmbeddedConnection.open(store, TestTables.configuration())) {
      assertThat(cells(again.getTable(TABLE).get(new Get(ROW)))).containsExactly("row/f:q/1/v");
    }
    try (Database database = Database.open(store)) {
      assertThat(database.tables()).isNotEmpty();
    }
  }

  @Test
  void asyncConnectionKeepsTheDatabaseOpen() throws Exception {
    EmbeddedConnection connection = TestTables.memory();
    TestTables.create(connection, TABLE, 1, "f").put(put("row", "f", "q", 1, "v"));
    AsyncConnection async = connection.toAsyncConnection();
    connection.close();
    assertThat(async.getTable(TABLE).exists(new Get(ROW)).get(20, TimeUnit.SECONDS)).isTrue();
    async.close();
    CompletableFuture<Boolean> refused = async.getTable(TABLE).exists(new Get(ROW));
    assertRefused(() -> FutureUtils.get(refused, 20, TimeUnit.SECONDS));
  }

  @Test
  void tableOfAClosedConnectionRefuses() throws IOException {
    EmbeddedConnection connection = TestTables.memory();
    Table table = TestTables.create(connection, TABLE, 1, "f");
    connection.close();
    assertRefused(() -> table.get(new Get(ROW)));
    assertRefused(() -> table.put(put("row", "f", "q", 1, "v")));
    assertRefused(() -> table.increment(new Increment(ROW).addColumn(F, Q, 1)));
    assertRefused(() -> table.getScanner(new Scan()).next());
    assertRefused(connection::getAdmin);
    assertRefused(() -> connection.getBufferedMutator(TABLE));
  }

  /** Checks that a program that tries again after other failures does not after this one. */
  private static void assertRefused(ThrowingCallable operation) {
    assertThatThrownBy(operation)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasCauseInstanceOf(ConnectionClosedException.class);
  }

  @Test
  void missingPathIsNamed() {
    Configuration conf = TestTables.configuration();
    EmbeddedConnection.configure(conf, folder);
    conf.unset(EmbeddedConnection.PATH_KEY);
    assertThatThrownBy(() -> ConnectionFactory.createConnection(conf))
        .isInstanceOf(IOException.class)
        .rootCause()
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("accordion.client.path is not set");
    assertThatThrownBy(
            () -> ConnectionFactory.createAsyncConnection(conf).get(20, TimeUnit.SECONDS))
        .rootCause()
        .hasMessageContaining("accordion.client.path is not set");
  }

  @Test
  void folderThatIsNoStoreIsNamedAndStaysAsItIs() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("letter.txt"), "dear");
    assertThatThrownBy(() -> EmbeddedConnection.open(other, TestTables.configuration()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(other.toString())
        .hasMessageContaining("accordion.client.path")
        .hasCauseInstanceOf(NotADatabaseException.class);
    try (var files = Files.list(other)) {
      assertThat(files).containsExactly(other.resolve("letter.txt"));
    }
  }

  @Test
  void lockedFolderIsNamed() throws IOException {
    Path store = folder.resolve("store");
    try (Database database = Database.open(store)) {
      assertThatThrownBy(() -> EmbeddedConnection.open(store, TestTables.configuration()))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(store.toString())
          .hasCauseInstanceOf(DatabaseLockedException.class);
    }
    EmbeddedConnection.open(store, TestTables.configuration()).close();
  }

  @Test
  void unknownOptionIsNamed() {
    Configuration conf = TestTables.configuration();
    conf.set("accordion.client.memoryByte", "1");
    assertThatThrownBy(() -> EmbeddedConnection.open(folder.resolve("store"), conf))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("memoryByte is no option");
    assertThat(folder.resolve("store")).doesNotExist();
    conf.unset("accordion.client.memoryByte");
    conf.set("accordion.client.memoryBytes", "much");
    assertThatThrownBy(() -> EmbeddedConnection.open(folder.resolve("store"), conf))
        .hasMessageContaining("memoryBytes cannot be 'much'");
  }

  @Test
  void optionsApply() throws IOException {
    Configuration conf = TestTables.configuration();
    conf.set("accordion.client.readOnly", "true");
    Path store = folder.resolve("store");
    try (Connection connection = EmbeddedConnection.open(store, TestTables.configuration())) {
      TestTables.create(connection, TABLE, 1, "f");
    }
    try (Connection connection = EmbeddedConnection.open(store, conf)) {
      assertThatThrownBy(() -> connection.getTable(TABLE).put(put("row", "f", "q", 1, "v")))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("opened for reading only");
    }
  }

  @Test
  void missingTableIsNoticedByTheFirstOperation() throws IOException {
    try (Connection connection = TestTables.memory()) {
      Table table = connection.getTable(TableName.valueOf("ns", "absent"));
      assertThatThrownBy(() -> table.get(new Get(ROW)))
          .isInstanceOf(TableNotFoundException.class)
          .hasMessageContaining("ns:absent");
      assertThatThrownBy(() -> table.getScanner(F).next())
          .isInstanceOf(TableNotFoundException.class);
    }
  }

  @Test
  void mutatorOfAnotherClassIsRefused() throws IOException {
    try (Connection connection = TestTables.memory()) {
      BufferedMutatorParams params =
          new BufferedMutatorParams(TABLE).implementationClassName("x.Y");
      assertThatThrownBy(() -> connection.getBufferedMutator(params))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("getBufferedMutator")
          .hasMessageContaining("x.Y");
      assertThatThrownBy(connection::getHbck)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("getHbck");
    }
  }

  @Test
  void valuesReachTheFolderWithoutClosing() throws IOException {
    Path store = folder.resolve("store");
    try (Connection connection = EmbeddedConnection.open(store, TestTables.configuration())) {
      Table table = TestTables.create(connection, TABLE, 1, "f");
      table.put(new org.apache.hadoop.hbase.client.Put(ROW).addColumn(F, Q, b("v")));
      assertThat(connection.toString()).contains(store.toString());
      assertThat(connection.getClusterId()).isNotEmpty();
    }
  }

  @Test
  void theConfigurationOfAConnectionLeadsToItsDatabase() throws IOException {
    Configuration conf = TestTables.configuration();
    EmbeddedConnection.configure(conf, folder.resolve("other"));
    try (Connection connection = EmbeddedConnection.open(folder.resolve("store"), conf)) {
      TestTables.create(connection, TABLE, 1, "f");
      try (Connection same = ConnectionFactory.createConnection(connection.getConfiguration());
          Connection other = ConnectionFactory.createConnection(conf)) {
        assertThat(same.getClusterId()).isEqualTo(connection.getClusterId());
        assertThat(same.getAdmin().getClusterMetrics().getClusterId())
            .isEqualTo(connection.getClusterId());
        assertThat(same.getAdmin().tableExists(TABLE)).isTrue();
        assertThat(other.getAdmin().tableExists(TABLE)).isFalse();
      }
    }
  }

  @Test
  void aNewFolderBehindALinkIsShared() throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real).resolve("deep/new");
    Configuration conf = TestTables.configuration();
    try (Connection first = EmbeddedConnection.open(link, conf);
        Connection second = EmbeddedConnection.open(link, conf);
        Connection third = EmbeddedConnection.open(real.resolve("deep/new"), conf)) {
      TestTables.create(first, TABLE, 1, "f");
      assertThat(second.getAdmin().tableExists(TABLE)).isTrue();
      assertThat(third.getAdmin().tableExists(TABLE)).isTrue();
    }
  }
}
