// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each policy does if the host asks for a merge of the whole pipeline. */
class MergeOnRequestTest extends PolicyFixture {
  @Test
  void theWholePipelineIsMergedOnRequest() {
    open(MemStorePolicy.of(Policy.BASIC).withPipelineSegmentsMax(5));
    flushRows(0, 10);
    flushRows(0, 10);
    flushRows(10, 10);
    addRows(20, 500);
    events.clear();
    store.mergePipeline();
    assertThat(events).containsExactly("merged 3 segments, 30 cells, u " + 20.0 / 30);
    addRows(600, 1);
    store.mergePipeline();
    assertThat(events).as("the active segment is being written").hasSize(1);
    store.mergePipeline();
    assertThat(events)
        .containsExactly(
            "merged 3 segments, 30 cells, u " + 20.0 / 30,
            "flushed 501",
            "merged 2 segments, 531 cells, u " + 521.0 / 531);
    addRows(0, 1);
    store.mergePipeline();
    store.mergePipeline();
    assertThat(events).as("one cell is not worth a merge").hasSize(3);
    assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
    close();
  }

  @Test
  void aLargePipelineIsMergedSeldomWhileLittleIsWritten() {
    open(MemStorePolicy.of(Policy.BASIC).withPipelineSegmentsMax(5));
    for (int i = 0; i < 600; i++) {
      addRows(0, 1000);
    }
    for (int i = 0; i < 3; i++) {
      flushRows(0, 10);
      events.clear();
      store.mergePipeline();
      assertThat(events).as("600,000 cells").isEmpty();
      store.mergePipeline();
      assertThat(events).hasSize(1);
      assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
    }
    close();
  }

  @Test
  void aPipelineThatIsMergedOnRequestLosesWhatThePolicyDrops() {
    for (MemStorePolicy policy : List.of(adaptive(5), MemStorePolicy.of(Policy.AUTO))) {
      open(policy);
      for (int i = 0; i < 20; i++) {
        flushRows(0, 10);
        store.mergePipeline();
        assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
      }
      assertThat(store.statistics().cells()).as("cells of 10 columns").isEqualTo(10);
      close();
    }
  }

  @Test
  void eagerCompactsAlsoOnRequest() {
    List<Runnable> waiting = new ArrayList<>();
    executor = waiting::add;
    open(Policy.EAGER);
    flushRows(0, 10);
    flushRows(0, 10);
    store.mergePipeline();
    waiting.remove(0).run();
    assertThat(waiting).isEmpty();
    assertThat(events).last().isEqualTo("compacted 2 segments, 20 to 10");
    close();
  }

  @Test
  void aPipelineIsMergedOnRequestAlsoWithoutRoomForACompaction() {
    budget = new MemoryBudget(1);
    open(adaptive(5));
    for (int i = 0; i < 3; i++) {
      flushRows(0, 10);
      store.mergePipeline();
    }
    assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
    assertThat(store.statistics().cells()).isEqualTo(30);
    close();
  }
}
