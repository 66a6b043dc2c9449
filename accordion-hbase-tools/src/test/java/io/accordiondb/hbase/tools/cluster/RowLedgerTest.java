// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** The ledger notices what the test of a cluster is there to find. */
class RowLedgerTest {
  private final RowLedger ledger = new RowLedger(1);
  private List<Cell> stored = new ArrayList<>();
  private final List<List<Cell>> earlier = new ArrayList<>();
  private boolean isRefusing;

  /** A table that keeps the last put of a row. */
  private final Table table =
      (Table)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Table.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("get")) {
                  return new Result[] {Result.create(stored)};
                }
                if (isRefusing) {
                  throw new IOException("refused");
                }
                earlier.add(stored);
                stored = new ArrayList<>();
                ((Put) arguments[0]).getFamilyCellMap().values().forEach(stored::addAll);
                stored.sort(CellComparator.getInstance());
                return null;
              });

  @Test
  void acceptsWhatWasWritten() throws IOException {
    ledger.get(table, 0, 1);
    ledger.write(table, 0);
    ledger.write(table, 0);
    ledger.get(table, 0, 1);
    assertThat(ledger.acknowledgements()).isEqualTo(2);
    assertThat(ledger.checks()).isEqualTo(1);
  }

  @Test
  void noticesALostRow() {
    ledger.write(table, 0);
    stored = List.of();
    assertThatThrownBy(() -> ledger.get(table, 0, 1)).hasMessage("row 0 is lost, which had 1");
  }

  @Test
  void noticesALostPut() {
    ledger.write(table, 0);
    ledger.write(table, 0);
    stored = earlier.get(1);
    assertThatThrownBy(() -> ledger.get(table, 0, 1)).hasMessage("row 0 has 1, expected 2 to 2");
  }

  @Test
  void noticesATornRow() {
    ledger.write(table, 0);
    ledger.write(table, 0);
    stored.set(7, earlier.get(1).get(7));
    assertThatThrownBy(() -> ledger.get(table, 0, 1))
        .hasMessageContaining("is torn, it has 2 and 1");
    stored.remove(7);
    assertThatThrownBy(() -> ledger.get(table, 0, 1))
        .hasMessageContaining("is torn, it has 9 cells");
  }

  @Test
  void allowsBothResultsOfAPutWithoutAnAnswer() throws IOException {
    ledger.write(table, 0);
    isRefusing = true;
    ledger.write(table, 0);
    assertThat(ledger.failures()).isEqualTo(1);
    ledger.get(table, 0, 1);
    isRefusing = false;
    ledger.write(table, 0);
    ledger.get(table, 0, 1);
  }
}
