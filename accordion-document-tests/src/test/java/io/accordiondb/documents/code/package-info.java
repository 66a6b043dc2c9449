// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The code of the documents. A part between two marks is what a document shows; what stands around
 * it lets it compile, run and be checked.
 */
package io.accordiondb.documents.code;
