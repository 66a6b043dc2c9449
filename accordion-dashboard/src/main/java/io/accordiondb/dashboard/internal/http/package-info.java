// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The web server of the dashboard: which requests it answers, in which time, and with what. Start
 * reading at {@link io.accordiondb.dashboard.internal.http.DashboardServer}.
 */
@NullMarked
package io.accordiondb.dashboard.internal.http;

import org.jspecify.annotations.NullMarked;
