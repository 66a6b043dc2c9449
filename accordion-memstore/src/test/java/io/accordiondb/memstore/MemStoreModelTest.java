// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.DistantPools;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;

class MemStoreModelTest {
  private static final List<SegmentLayout> LAYOUTS =
      List.of(
          SegmentLayout.DEFAULT,
          SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK),
          SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.ARRAY),
          SegmentLayout.of(CellMemory.OFF_HEAP_CHUNKS, IndexKind.ARRAY),
          SegmentLayout.of(CellMemory.OBJECTS, IndexKind.ARRAY));

  private static final VersionRules FOUR_VERSIONS =
      rules(4, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE);

  private static VersionRules rules(int max, int min, long ttlMillis, KeepDeletedCells keep) {
    return new VersionRules(max, min, ttlMillis, keep);
  }

  private enum Kind {
    ADD,
    ADD_LATE,
    DELETE_RANGE,
    FLUSH_IN_MEMORY,
    MERGE_PIPELINE,
    RUN_BACKGROUND,
    SNAPSHOT,
    CLEAR_SNAPSHOT,
    OPEN_VIEW,
    CLOSE_VIEW,
    CHANGE_OPTIONS
  }

  /** One thing that a host does. */
  record Step(Kind kind, int seed) {
    void run(MemStoreModel model) {
      switch (kind) {
        case ADD -> model.add(new Random(seed));
        case ADD_LATE -> model.addLate();
        case DELETE_RANGE -> model.deleteRange(new Random(seed));
        case FLUSH_IN_MEMORY -> model.flushInMemory();
        case MERGE_PIPELINE -> model.mergePipeline();
        case RUN_BACKGROUND -> model.runBackground();
        case SNAPSHOT -> model.snapshot();
        case CLEAR_SNAPSHOT -> model.clearSnapshot();
        case OPEN_VIEW -> model.openView();
        case CLOSE_VIEW -> model.closeView(seed);
        case CHANGE_OPTIONS -> {
          Policy[] policies = Policy.values();
          model.setOptions(
              policy(policies[seed % policies.length])
                  .withMergeSchedule(seed % 2 == 0 ? MergeSchedule.ALL : MergeSchedule.TIERED),
              LAYOUTS.get(seed % LAYOUTS.size()));
        }
      }
    }
  }

  @Property(tries = 6)
  void holdsWhatWasAddedUnderNone(
      @ForAll("steps") List<Step> steps, @ForAll("rules") VersionRules rules) {
    run(policy(Policy.NONE), SegmentLayout.DEFAULT, rules, true, steps);
  }

  @Property(tries = 6)
  void holdsWhatWasAddedUnderBasic(
      @ForAll("steps") List<Step> steps,
      @ForAll("layouts") SegmentLayout layout,
      @ForAll("rules") VersionRules rules,
      @ForAll boolean direct,
      @ForAll MergeSchedule schedule) {
    run(policy(Policy.BASIC).withMergeSchedule(schedule), layout, rules, direct, steps);
  }

  @Property(tries = 6)
  void showsWhatWasAddedUnderEager(
      @ForAll("steps") List<Step> steps,
      @ForAll("layouts") SegmentLayout layout,
      @ForAll("rules") VersionRules rules,
      @ForAll boolean direct) {
    run(policy(Policy.EAGER), layout, rules, direct, steps);
  }

  @Property(tries = 6)
  void showsWhatWasAddedUnderAdaptive(
      @ForAll("steps") List<Step> steps,
      @ForAll("layouts") SegmentLayout layout,
      @ForAll("rules") VersionRules rules,
      @ForAll boolean direct,
      @ForAll MergeSchedule schedule) {
    run(policy(Policy.ADAPTIVE).withMergeSchedule(schedule), layout, rules, direct, steps);
  }

  @Property(tries = 6)
  void showsWhatWasAddedUnderAuto(
      @ForAll("steps") List<Step> steps,
      @ForAll("layouts") SegmentLayout layout,
      @ForAll("rules") VersionRules rules,
      @ForAll boolean direct) {
    run(policy(Policy.AUTO), layout, rules, direct, steps);
  }

  @Property(tries = 6)
  void showsWhatWasAddedWhateverTheOptionsBecome(
      @ForAll("stepsWithChanges") List<Step> steps,
      @ForAll Policy first,
      @ForAll("layouts") SegmentLayout layout,
      @ForAll("rules") VersionRules rules,
      @ForAll boolean direct) {
    run(policy(first), layout, rules, direct, steps);
  }

  @Property(tries = 6)
  void showsWhatWasAddedWhereChunksCrossSixteenGib(
      @ForAll("stepsWithChanges") List<Step> steps,
      @ForAll Policy first,
      @ForAll("layouts") SegmentLayout layout,
      @ForAll("rules") VersionRules rules,
      @ForAll boolean direct) {
    run(DistantPools.across(20L << 30), policy(first), layout, rules, direct, steps);
  }

  @Property(tries = 12)
  void showsWhatWasAddedWhateverHappensDuringACompaction(
      @ForAll("steps") List<Step> steps,
      @ForAll Policy policy,
      @ForAll("layouts") SegmentLayout layout,
      @ForAll long seed) {
    ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30);
    run(
        new MemStoreModel(pool, policy(policy), layout, FOUR_VERSIONS, false, new Random(seed)),
        steps);
  }

  @Property(tries = 2_000)
  @Tag("long")
  void showsWhatWasAddedWhateverThePolicyAndWhateverItBecomes(
      @ForAll("stepsWithChanges") List<Step> steps,
      @ForAll Policy first,
      @ForAll("layouts") SegmentLayout layout,
      @ForAll("rules") VersionRules rules,
      @ForAll boolean direct,
      @ForAll MergeSchedule schedule) {
    run(policy(first).withMergeSchedule(schedule), layout, rules, direct, steps);
  }

  private static void run(
      MemStorePolicy policy,
      SegmentLayout layout,
      VersionRules rules,
      boolean direct,
      List<Step> steps) {
    ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30);
    run(pool, policy, layout, rules, direct, steps);
  }

  private static void run(
      ChunkPool pool,
      MemStorePolicy policy,
      SegmentLayout layout,
      VersionRules rules,
      boolean direct,
      List<Step> steps) {
    run(new MemStoreModel(pool, policy, layout, rules, direct), steps);
  }

  private static void run(MemStoreModel model, List<Step> steps) {
    for (Step step : steps) {
      step.run(model);
      model.checkCounts();
      if (step.kind() != Kind.ADD) {
        model.checkContents();
      }
    }
    model.finish();
  }

  /** Merges soon, and compacts whenever a key was written twice. */
  private static MemStorePolicy policy(Policy kind) {
    return MemStorePolicy.of(kind).withPipelineSegmentsMax(2).withRedundancyThreshold(0);
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return listOf(kinds());
  }

  @Provide
  Arbitrary<List<Step>> stepsWithChanges() {
    return listOf(
        Arbitraries.frequencyOf(
            Tuple.of(15, kinds()), Tuple.of(1, Arbitraries.just(Kind.CHANGE_OPTIONS))));
  }

  private static Arbitrary<Kind> kinds() {
    return Arbitraries.frequency(
        Tuple.of(60, Kind.ADD),
        Tuple.of(8, Kind.ADD_LATE),
        Tuple.of(2, Kind.DELETE_RANGE),
        Tuple.of(3, Kind.FLUSH_IN_MEMORY),
        Tuple.of(1, Kind.MERGE_PIPELINE),
        Tuple.of(3, Kind.RUN_BACKGROUND),
        Tuple.of(2, Kind.SNAPSHOT),
        Tuple.of(2, Kind.CLEAR_SNAPSHOT),
        Tuple.of(3, Kind.OPEN_VIEW),
        Tuple.of(3, Kind.CLOSE_VIEW));
  }

  private static Arbitrary<List<Step>> listOf(Arbitrary<Kind> kinds) {
    return Combinators.combine(kinds, Arbitraries.integers().between(0, 1 << 20))
        .as(Step::new)
        .list()
        .ofMaxSize(120)
        .withSizeDistribution(RandomDistribution.uniform());
  }

  @Provide
  Arbitrary<SegmentLayout> layouts() {
    return Arbitraries.of(LAYOUTS);
  }

  @Provide
  Arbitrary<VersionRules> rules() {
    return Arbitraries.of(
        VersionRules.DEFAULT,
        rules(2, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE),
        FOUR_VERSIONS,
        rules(2, 1, 8, KeepDeletedCells.FALSE),
        rules(4, 0, 5, KeepDeletedCells.TTL),
        rules(2, 1, 6, KeepDeletedCells.TTL),
        rules(4, 2, 6, KeepDeletedCells.TRUE),
        rules(1, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE));
  }
}
