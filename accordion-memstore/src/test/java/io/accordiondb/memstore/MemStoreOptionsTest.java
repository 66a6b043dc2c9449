// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.accordiondb.retention.VersionRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemStoreOptionsTest {
  private static final MemStorePolicy POLICY = MemStorePolicy.of(Policy.BASIC);

  @Test
  void theDefaultsAreThePapers() {
    assertThat(MemStorePolicy.DEFAULT).isEqualTo(new MemStorePolicy(Policy.ADAPTIVE, 0.02, 5, 0.2));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 1.01, Double.NaN})
  void activeFractionsOutsideTheBoundsAreRefused(double fraction) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> POLICY.withActiveFraction(fraction))
        .withMessageContaining("(A)");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 31})
  void pipelineLengthsOutsideTheBoundsAreRefused(int segments) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> POLICY.withPipelineSegmentsMax(segments))
        .withMessageContaining("(S)");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.01, Double.NaN})
  void redundancyThresholdsOutsideTheBoundsAreRefused(double threshold) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> POLICY.withRedundancyThreshold(threshold))
        .withMessageContaining("(R)");
  }

  @Test
  void theBoundsThemselvesAreAllowed() {
    assertThat(
            POLICY
                .withActiveFraction(1)
                .withPipelineSegmentsMax(30)
                .withPipelineSegmentsMax(1)
                .withRedundancyThreshold(0)
                .withRedundancyThreshold(1))
        .isEqualTo(new MemStorePolicy(Policy.BASIC, 1, 1, 1));
  }

  @Test
  void aStoreWithoutMemoryIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options(0.02, 0))
        .withMessageContaining("flush size is 0");
  }

  @Test
  void anActiveSegmentIsTheGivenFractionOfTheStoresShareOrOfWhatItHasGrownTo() {
    assertThat(options(0.02, 100 << 20).activeSealBytes(0)).isEqualTo((100 << 20) / 50);
    assertThat(options(0.02, 100 << 20).activeSealBytes(200 << 20)).isEqualTo((200 << 20) / 50);
    assertThat(options(0.02, 1).activeSealBytes(0)).isEqualTo(4096);
  }

  private static MemStoreOptions options(double fraction, long flushBytes) {
    return new MemStoreOptions(
        POLICY.withActiveFraction(fraction), VersionRules.DEFAULT, flushBytes);
  }
}
