// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * The base of storages that wrap another storage: subclasses override what they change, and provide
 * the readers and writers. As thread-safe as the wrapped storage.
 */
public abstract class ForwardingStorage implements Storage {
  /** The other storage. */
  protected final Storage delegate;

  protected ForwardingStorage(Storage delegate) {
    this.delegate = delegate;
  }

  @Override
  public boolean exists(String name) throws IOException {
    return delegate.exists(name);
  }

  @Override
  public boolean isDirectory(String name) throws IOException {
    return delegate.isDirectory(name);
  }

  @Override
  public long size(String name) throws IOException {
    return delegate.size(name);
  }

  @Override
  public long storedBytes(String name) throws IOException {
    return delegate.storedBytes(name);
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return delegate.list(directory);
  }

  @Override
  public void delete(String name) throws IOException {
    delegate.delete(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    delegate.rename(from, to);
  }

  @Override
  public void createDirectories(String directory) throws IOException {
    delegate.createDirectories(directory);
  }

  @Override
  public void sync(String name) throws IOException {
    delegate.sync(name);
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    delegate.syncDirectory(directory);
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return delegate.lock(name);
  }

  @Override
  public Closeable lockToRead(String name) throws IOException {
    return delegate.lockToRead(name);
  }

  @Override
  public void checkFolder() throws IOException {
    delegate.checkFolder();
  }

  @Override
  public boolean isVolatile() {
    return delegate.isVolatile();
  }

  @Override
  public long availableBytes() throws IOException {
    return delegate.availableBytes();
  }

  @Override
  public Object identity() {
    return delegate.identity();
  }

  @Override
  public Object fileKey(String name) throws IOException {
    return delegate.fileKey(name);
  }

  @Override
  public String path(String name) {
    return delegate.path(name);
  }
}
