// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The web server of the dashboard: it decides which requests it answers, limits their time, and
 * sends the page and the frames that {@code internal.sample} produces. Its threads are daemons, and
 * a slow client never delays the sampler. Start reading at {@link
 * io.accordiondb.dashboard.internal.http.DashboardServer}.
 */
@NullMarked
package io.accordiondb.dashboard.internal.http;

import org.jspecify.annotations.NullMarked;
