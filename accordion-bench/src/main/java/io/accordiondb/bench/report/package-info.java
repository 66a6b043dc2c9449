// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The output of measurements: medians, tables, charts and one page that holds them. It knows no
 * experiment and no engine. Start with {@link io.accordiondb.bench.report.HtmlReport}.
 */
@NullMarked
package io.accordiondb.bench.report;

import org.jspecify.annotations.NullMarked;
