// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** The statistics of open databases as beans of JMX. */
@NullMarked
package io.accordiondb.internal.jmx;

import org.jspecify.annotations.NullMarked;
