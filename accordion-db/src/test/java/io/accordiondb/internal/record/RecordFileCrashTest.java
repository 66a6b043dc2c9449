// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Record files after a loss of power. */
class RecordFileCrashTest {
  @Property(tries = 400)
  void whatIsLeftIsAPrefixWithAllThatWasSynced(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    MemoryStorage disk = new MemoryStorage();
    List<TestRecord> written = new ArrayList<>();
    int synced = 0;
    try (RecordWriter writer = new RecordWriter(disk.create(TestRecord.FILE), TestRecord.HEADER)) {
      disk.syncDirectory("");
      for (int step = random.nextInt(60); step > 0; step--) {
        switch (random.nextInt(8)) {
          case 0 -> writer.flush();
          case 1 -> {
            writer.sync();
            synced = written.size();
          }
          default -> {
            int bytes = random.nextInt(random.nextInt(10) == 0 ? 100_000 : 100);
            TestRecord record = TestRecord.random(bytes, written.size(), random);
            record.appendTo(writer);
            written.add(record);
          }
        }
      }
    }
    for (int crash = 0; crash < 5; crash++) {
      List<TestRecord> left = TestRecord.read(disk.crash(random));
      assertThat(left).hasSizeGreaterThanOrEqualTo(synced);
      assertThat(left).isEqualTo(written.subList(0, left.size()));
    }
  }
}
