// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What replaces each other, and is searched at the same time. */
class SuccessionTest {
  private final Succession<String> objects = new Succession<>("first");

  @Test
  void findsAnEarlierObjectElseTheNewest() {
    objects.replace("second");
    objects.replace("third");
    assertThat(objects.newest()).isEqualTo("third");
    assertThat(objects.earlierOrNewest("second"::equals)).isEqualTo("second");
    assertThat(objects.earlierOrNewest("third"::equals)).isEqualTo("third");
    objects.remove("second");
    assertThat(objects.earlier()).containsExactly("first");
    assertThat(objects.earlierOrNewest("second"::equals)).isEqualTo("third");
  }

  @Test
  void findsAnObjectThatIsReplacedDuringTheSearch() {
    objects.replace("second");
    String found =
        objects.earlierOrNewest(
            each -> {
              objects.replace("third");
              return each.equals("second");
            });
    assertThat(found).isEqualTo("second");
    assertThat(objects.newest()).isEqualTo("third");
  }
}
