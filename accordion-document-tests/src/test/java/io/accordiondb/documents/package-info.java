// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Tests of the documents.
 *
 * <p>{@link io.accordiondb.documents.LinksTest} follows every link. {@link
 * io.accordiondb.documents.SnippetsTest} compares every block of Java in a document with a marked
 * part of a source file of {@code io.accordiondb.documents.code}, which the build compiles and
 * runs. {@link io.accordiondb.documents.RatioChartTest} draws the charts from the tables that they
 * show.
 */
package io.accordiondb.documents;
