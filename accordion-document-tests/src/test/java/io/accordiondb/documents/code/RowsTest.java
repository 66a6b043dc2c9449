// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents.code;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Bound;
import io.accordiondb.CheckAndMutate;
import io.accordiondb.CheckAndMutateResult;
import io.accordiondb.CompareOperator;
import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Increment;
import io.accordiondb.Isolation;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.RowMutations;
import io.accordiondb.Savepoint;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows, conditions and transactions, as the guide has them. */
final class RowsTest {
  private final byte[] family = bytes("f");
  private final byte[] row = bytes("ann");
  private Database database;

  @BeforeEach
  void open() throws IOException {
    database = Database.inMemory();
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void rows() throws IOException {
    byte[] name = bytes("name");
    List<String> used = new ArrayList<>();
    // code: rows
    database.createTable(
        TableDescriptor.builder("users")
            .family(
                FamilyDescriptor.builder("profile")
                    .maxVersions(3)
                    .compression(Compression.ZSTD)
                    .build())
            .build());
    Table users = database.table("users");
    byte[] profile = "profile".getBytes(UTF_8);
    users.put(new Put(row).addColumn(profile, name, "Ann Lee".getBytes(UTF_8)));
    Result user = users.get(new Get(row).addColumn(profile, name));
    byte[] newest = user.value(profile, name); // null if there is none
    try (ResultScanner all = users.scan(new Scan().setStartRow(row, Bound.INCLUSIVE))) {
      for (Result each : all) {
        used.add(new String(each.row(), UTF_8));
      }
    }
    // end
    assertThat(newest).isEqualTo(bytes("Ann Lee"));
    assertThat(used).containsExactly("ann");
  }

  @Test
  void conditions() throws IOException {
    database.createTable(TableDescriptor.of("items", "f"));
    Table table = database.table("items");
    byte[] state = bytes("state");
    byte[] stock = bytes("stock");
    byte[] sales = bytes("sales");
    byte[] open = bytes("open");
    byte[] sold = bytes("sold");
    byte[] zero = bytes("0");
    table.put(new Put(row).addColumn(family, state, open).addColumn(family, stock, bytes("7")));
    // code: conditions
    CheckAndMutateResult done =
        table.checkAndMutate(
            CheckAndMutate.builder(row)
                .ifEquals(family, state, open)
                .ifMatches(family, stock, CompareOperator.GREATER, zero)
                .build(
                    new RowMutations(row)
                        .add(new Put(row).addColumn(family, state, sold))
                        .add(new Increment(row).addColumn(family, sales, 1))));
    // end
    assertThat(done.succeeded()).isTrue();
  }

  @Test
  void transaction() throws IOException {
    database.createTable(TableDescriptor.of("orders", "f"));
    Put order = new Put(bytes("1")).addColumn(family, bytes("q"), bytes("v"));
    Put line = new Put(bytes("2")).addColumn(family, bytes("q"), bytes("v"));
    // code: transaction
    try (Transaction transaction = database.beginTransaction(Isolation.SERIALIZABLE)) {
      Table orders = transaction.table("orders");
      orders.put(order);
      Savepoint savepoint = transaction.savepoint();
      orders.put(line);
      transaction.rollbackTo(savepoint); // the order stays, the line does not
      transaction.commit(Durability.FSYNC);
    } // without a commit, closing rolls back
    // end
    assertThat(database.table("orders").get(new Get(bytes("1"))).isEmpty()).isFalse();
    assertThat(database.table("orders").get(new Get(bytes("2"))).isEmpty()).isTrue();
  }
}
