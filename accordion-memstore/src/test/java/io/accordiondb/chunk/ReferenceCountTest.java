// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class ReferenceCountTest {
  private final ReferenceCount holders = new ReferenceCount();

  @Test
  void onlyTheLastReleaseIsTheLast() {
    holders.retain();
    assertThat(holders.tryRetain()).isTrue();
    assertThat(holders.release()).isFalse();
    assertThat(holders.release()).isFalse();
    assertThat(holders.release()).isTrue();
  }

  @Test
  void nobodyRetainsWhatIsGone() {
    assertThat(holders.release()).isTrue();
    assertThat(holders.tryRetain()).isFalse();
    assertThatIllegalStateException().isThrownBy(holders::retain);
  }

  @Test
  void oneReleaseTooManyIsAnError() {
    assertThat(holders.release()).isTrue();
    assertThatIllegalStateException().isThrownBy(holders::release);
  }
}
