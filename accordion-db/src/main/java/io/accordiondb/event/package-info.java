// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What a database tells an application while it works: {@link io.accordiondb.event.EventListener}
 * and the records that it is given.
 */
@NullMarked
package io.accordiondb.event;

import org.jspecify.annotations.NullMarked;
