// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.http;

/** The reason why a request is refused: the HTTP status and a sentence. */
record Refusal(int status, String sentence) {}
