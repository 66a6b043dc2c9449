// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;

/**
 * Thrown when the device refuses a page of a mapped file. Unlike after a write that finds no room,
 * what the file holds is unknown, so nothing may be appended to it any more.
 */
public final class PageFaultException extends IOException {
  private static final long serialVersionUID = 1L;

  PageFaultException(String message) {
    super(message);
  }

  PageFaultException(String message, Throwable cause) {
    super(message, cause);
  }
}
