// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.accordiondb.Scan;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.RegionMap;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two threads close a scanner while another reader has the same read point. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "The other reader keeps its read point.")
@State
public class ScannerCloseStress {
  private static final TableState TABLE =
      new TableState(
          1,
          TableDescriptor.of("table", "family"),
          new RegionMap(
              List.of(new Region(new RegionRecord(1, 1, new byte[0], new byte[0]), List.of()))),
          null);

  private static final Scan SCAN = new Scan();
  private static final Telemetry TELEMETRY = Telemetry.silent();

  private final ReadPoints readPoints = new ReadPoints(new Visibility());
  private final TableScanner scanner;

  /** Opens the readers. */
  public ScannerCloseStress() {
    readPoints.enter();
    scanner = new TableScanner(rows(), SCAN);
  }

  /** The scanner is never moved, so it needs no parts to read with. */
  @SuppressWarnings("NullAway")
  private RowScanner rows() {
    try {
      return new RowScanner(null, null, TABLE, SCAN, readPoints.enter(), null, null, TELEMETRY);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Actor
  public void close() {
    scanner.close();
  }

  @Actor
  public void closeAgain() {
    scanner.close();
  }

  @Arbiter
  public void check(I_Result result) {
    result.r1 = readPoints.held(0).readPoints();
  }
}
