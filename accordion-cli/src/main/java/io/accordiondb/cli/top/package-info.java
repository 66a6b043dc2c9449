// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * How a live process is read from outside, by JMX, and how its figures look on a terminal. Start
 * reading at {@link io.accordiondb.cli.top.LiveProcess}.
 */
@NullMarked
package io.accordiondb.cli.top;

import org.jspecify.annotations.NullMarked;
