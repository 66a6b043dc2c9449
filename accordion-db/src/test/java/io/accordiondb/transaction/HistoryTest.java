// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.transaction;

import static io.accordiondb.transaction.History.Op.append;
import static io.accordiondb.transaction.History.Op.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.transaction.History.Anomaly;
import io.accordiondb.transaction.History.Op;
import io.accordiondb.transaction.History.Outcome;
import io.accordiondb.transaction.History.Transaction;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The checker finds each anomaly in a history made to have it, and none in one that is sound. */
class HistoryTest {
  private static Transaction committed(Op... ops) {
    return new Transaction(List.of(ops), Outcome.COMMITTED);
  }

  private static Set<Anomaly> anomalies(Transaction... transactions) {
    return History.anomalies(List.of(transactions));
  }

  @Test
  void aSerialHistoryIsSound() {
    assertThat(
            anomalies(
                committed(read("x", List.of()), append("x", 1), read("x", List.of(1))),
                committed(read("x", List.of(1)), append("x", 2), append("y", 3)),
                committed(read("x", List.of(1, 2)), read("y", List.of(3)))))
        .isEmpty();
  }

  @Test
  void aLostUpdateIsFound() {
    assertThat(
            anomalies(
                committed(read("x", List.of()), append("x", 1)),
                committed(read("x", List.of()), append("x", 2)),
                committed(read("x", List.of(1, 2)))))
        .containsExactly(Anomaly.G_SINGLE);
    assertThat(
            anomalies(
                committed(read("x", List.of()), append("x", 1)),
                committed(read("x", List.of()), append("x", 2)),
                committed(read("x", List.of(2)))))
        .contains(Anomaly.G2);
  }

  @Test
  void writeSkewAndPhantomsAreFound() {
    assertThat(
            anomalies(
                committed(read("x", List.of()), append("y", 1)),
                committed(read("y", List.of()), append("x", 2)),
                committed(read("x", List.of(2)), read("y", List.of(1)))))
        .containsExactly(Anomaly.G2);
  }

  @Test
  void aSkewedReadIsFound() {
    assertThat(
            anomalies(
                committed(append("x", 1), append("y", 2)),
                committed(read("x", List.of()), read("y", List.of(2))),
                committed(read("x", List.of(1)))))
        .containsExactly(Anomaly.G_SINGLE);
  }

  @Test
  void aReadOfWhatWasAbortedIsFound() {
    assertThat(
            anomalies(
                new Transaction(List.of(append("x", 1)), Outcome.ABORTED),
                committed(read("x", List.of(1)))))
        .containsExactly(Anomaly.G1A);
  }

  @Test
  void anIntermediateReadIsFound() {
    assertThat(
            anomalies(
                committed(append("x", 1), append("x", 2)),
                committed(read("x", List.of(1))),
                committed(read("x", List.of(1, 2)))))
        .contains(Anomaly.G1B);
  }

  @Test
  void cyclesOfWritesAndOfReadsAreFound() {
    assertThat(
            anomalies(
                committed(append("x", 1), append("y", 2)),
                committed(append("x", 3), append("y", 4)),
                committed(read("x", List.of(1, 3)), read("y", List.of(4, 2)))))
        .contains(Anomaly.G0);
    assertThat(
            anomalies(
                committed(append("x", 1), read("y", List.of(2))),
                committed(append("y", 2), read("x", List.of(1)))))
        .containsExactly(Anomaly.G1C);
  }

  @Test
  void aReadThatIsNotRepeatableIsFound() {
    assertThat(
            anomalies(
                committed(read("x", List.of()), read("x", List.of(1))), committed(append("x", 1))))
        .contains(Anomaly.INTERNAL);
  }

  @Test
  void listsThatDoNotFitAreFound() {
    assertThat(
            anomalies(
                committed(append("x", 1)),
                committed(append("x", 2)),
                committed(read("x", List.of(1, 2))),
                committed(read("x", List.of(2, 1)))))
        .contains(Anomaly.INCOMPATIBLE_ORDER);
  }
}
