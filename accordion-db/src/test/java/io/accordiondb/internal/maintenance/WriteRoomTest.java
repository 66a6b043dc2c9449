// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who gets room, beside a list of those who wait. */
class WriteRoomTest {
  @Test
  void writesGetRoomInTheirOrderWhoeverLeaves() {
    Random random = new Random(1);
    WriteRoom room = new WriteRoom(100);
    List<WriteRoom.Turn> waiting = new ArrayList<>();
    for (int step = 0; step < 10_000; step++) {
      int index = waiting.isEmpty() ? -1 : random.nextInt(waiting.size());
      int action = random.nextInt(3);
      if (action == 0 || index < 0) {
        WriteRoom.Turn turn = new WriteRoom.Turn();
        room.enter(turn);
        waiting.add(turn);
      } else if (action == 1) {
        room.leave(waiting.remove(index));
      } else {
        assertThat(room.tryTake(waiting.get(index), 60)).isEqualTo(index == 0);
        if (index == 0) {
          waiting.remove(0);
          assertThat(waiting.isEmpty() || !room.tryTake(waiting.get(0), 60)).isTrue();
          room.release(60);
        }
      }
    }
    assertThat(room.bytesTaken()).isZero();
  }
}
