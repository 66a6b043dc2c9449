// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.http;

/** Why a request is not answered: the status of HTTP and a sentence. */
record Refusal(int status, String sentence) {}
