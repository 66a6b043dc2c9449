// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.DeleteRange;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.table.MutationEncoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What reads and deletes rows in all families of a table, while the table gets another family. */
class AddedFamilyTest {
  private static final byte[] ROW = bytes("r");
  private static final byte[] Q = bytes("q");
  private static final int FAMILIES = 100;

  private DatabaseEngine engine;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    engine = (DatabaseEngine) DatabaseEngine.open(new MemoryStorage(), DatabaseOptions.defaults());
    engine.createTable(TableDescriptor.of("t", "f"));
    table = engine.table("t");
  }

  @AfterEach
  void close() throws IOException {
    engine.close();
  }

  private static Put put(String... families) {
    Put put = new Put(ROW);
    for (String family : families) {
      put.addColumn(bytes(family), Q, bytes("v"));
    }
    return put;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeleteOfAllOldFamiliesIsEncodedAgain(boolean deletesRange) throws IOException {
    Mutation delete = deletesRange ? new DeleteRange(ROW, bytes("s")) : new Delete(ROW);
    MutationEncoder encoder = new MutationEncoder(DatabaseOptions.defaults(), 1, 100);
    encoder.add(engine.parts().tables().get("t"), delete);
    Batch batch = encoder.build();
    engine.alterTable(TableDescriptor.of("t", "f", "g"));
    table.put(put("f", "g"));

    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(() -> engine.parts().pipeline().commit(batch, Durability.ASYNC));
    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(() -> engine.parts().asyncCommits().submit(batch, Durability.ASYNC, () -> {}));
    assertThat(table.get(new Get(ROW)).cells()).hasSize(2);
  }

  @Test
  void aReadOfAllOldFamiliesLooksTheTableUpAgain() throws IOException {
    TableState old = engine.parts().tables().get("t");
    engine.alterTable(TableDescriptor.of("t", "f", "g"));
    table.put(put("f", "g"));

    assertThatExceptionOfType(StoreClosedException.class)
        .isThrownBy(() -> engine.parts().reader().get(old, new Get(ROW)));
    Get ofOne = new Get(ROW).addFamily(bytes("f"));
    assertThat(engine.parts().reader().get(old, ofOne).cells()).hasSize(1);
  }

  /** Each put writes its number to the first and to the newest family. */
  @Test
  void nobodySeesOrDeletesAPartOfAPut() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService executor = Executors.newCachedThreadPool();
    try {
      Future<?> deletes = executor.submit(repeated(ended, () -> table.delete(new Delete(ROW))));
      Future<?> ranges =
          executor.submit(
              repeated(
                  ended,
                  () -> {
                    table.deleteRange(ROW, bytes("s"));
                    check(table.get(new Get(ROW)));
                  }));
      Future<?> scans =
          executor.submit(
              repeated(
                  ended,
                  () -> {
                    try (ResultScanner rows = table.scan(new Scan())) {
                      for (Result row : rows) {
                        check(row);
                      }
                    }
                  }));
      List<String> families = new ArrayList<>(List.of("f"));
      for (int i = 0; i < FAMILIES; i++) {
        families.add("g" + i);
        engine.alterTable(TableDescriptor.of("t", families.toArray(new String[0])));
        table.put(
            new Put(ROW)
                .addColumn(bytes("f"), Q, bytes("g" + i))
                .addColumn(bytes("g" + i), Q, bytes("g" + i)));
      }
      ended.set(true);
      deletes.get();
      ranges.get();
      scans.get();
    } finally {
      ended.set(true);
      executor.shutdown();
    }
  }

  private static Callable<Boolean> repeated(AtomicBoolean ended, IoRunnable work) {
    return () -> {
      while (!ended.get()) {
        work.run();
      }
      return true;
    };
  }

  private static void check(Result row) {
    byte[] newest = row.value(bytes("f"), Q);
    if (newest == null) {
      assertThat(row.cells()).isEmpty();
    } else {
      assertThat(row.value(newest, Q)).isEqualTo(newest);
    }
  }
}
