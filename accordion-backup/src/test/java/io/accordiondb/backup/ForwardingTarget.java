// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** The base of targets that wrap another one. As thread-safe as the other one. */
class ForwardingTarget implements BackupTarget {
  private final BackupTarget delegate;

  ForwardingTarget(BackupTarget delegate) {
    this.delegate = delegate;
  }

  @Override
  public void write(String name, InputStream content, long bytes) throws IOException {
    delegate.write(name, content, bytes);
  }

  @Override
  public boolean writeNew(String name, byte[] content) throws IOException {
    return delegate.writeNew(name, content);
  }

  @Override
  public InputStream read(String name) throws IOException {
    return delegate.read(name);
  }

  @Override
  public Map<String, Long> list(String prefix) throws IOException {
    return delegate.list(prefix);
  }

  @Override
  public void delete(String name) throws IOException {
    delegate.delete(name);
  }

  @Override
  public void deleteUnfinished() throws IOException {
    delegate.deleteUnfinished();
  }
}
