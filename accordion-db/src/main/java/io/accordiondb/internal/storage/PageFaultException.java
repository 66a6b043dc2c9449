// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;

/**
 * The device refuses a page of a mapped file. Unlike after a write that finds no room, nobody knows
 * what the file holds, so it must not be appended to any more.
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
