// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the order in which a batch is executed with that of HBase's mini cluster. */
@Tag("hbase-client-tests")
class BatchOrderTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] TEXT = Bytes.toBytes("text");
  private static final byte[] COUNT = Bytes.toBytes("count");

  private static Table create(Connection connection) throws IOException {
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build());
    return connection.getTable(TABLE);
  }

  @Test
  void isThatOfACluster() throws Exception {
    HBaseTestingUtility utility = new HBaseTestingUtility();
    utility.startMiniCluster(1);
    try (EmbeddedHBase database = EmbeddedHBase.start()) {
      Table expected = create(utility.getConnection());
      Table actual = create(database.connection());
      for (int seed = 0; seed < 500; seed++) {
        Random random = new Random(seed);
        List<Row> actions = new ArrayList<>();
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
          actions.add(action(random, Bytes.toBytes("row" + random.nextInt(2)), "v" + i));
        }
        assertThat(outcomes(actual, actions))
            .as("seed %d: %s", seed, actions)
            .isEqualTo(outcomes(expected, actions));
      }
    } finally {
      utility.shutdownMiniCluster();
    }
  }

  /** Returns an action; no delete, which would hide a put of the same batch in HBase. */
  private static Row action(Random random, byte[] row, String value) throws IOException {
    Put put = new Put(row).addColumn(F, Q, 1, Bytes.toBytes(value));
    return switch (random.nextInt(6)) {
      case 0 -> new Get(row);
      case 1 -> put;
      case 2 -> new Increment(row).addColumn(F, COUNT, 1);
      case 3 -> new Append(row).addColumn(F, TEXT, Bytes.toBytes(value));
      case 4 -> RowMutations.of(List.of(put, new Append(row).addColumn(F, TEXT, Q)));
      default -> CheckAndMutate.newBuilder(row).ifEquals(F, Q, Bytes.toBytes("v3")).build(put);
    };
  }

  private static List<String> outcomes(Table table, List<Row> actions) throws Exception {
    Object[] results = new Object[actions.size()];
    table.batch(actions, results);
    List<String> outcomes =
        new ArrayList<>(Arrays.stream(results).map(BatchOrderTest::text).toList());
    outcomes.add(text(table.get(new Get(Bytes.toBytes("row0")))));
    outcomes.add(text(table.get(new Get(Bytes.toBytes("row1")))));
    return outcomes;
  }

  private static String text(Object outcome) {
    if (outcome instanceof CheckAndMutateResult result) {
      return "" + result.isSuccess();
    }
    Result result = (Result) outcome;
    return Bytes.toString(result.getValue(F, Q))
        + " "
        + Bytes.toString(result.getValue(F, TEXT))
        + " "
        + Bytes.toStringBinary(result.getValue(F, COUNT));
  }
}
