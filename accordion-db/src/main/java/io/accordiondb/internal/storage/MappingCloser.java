// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps files so that the mappings can be closed, by the means that the running JDK offers.
 *
 * <p>From JDK 22 on each mapping has an arena of its own, which is closed. On older JDKs {@code
 * Unsafe.invokeCleaner} ends a mapping; JDK 24 and newer warn about that method, so it is not
 * called there. The classes of arenas are not in JDK 17, so they are called by method handles.
 */
interface MappingCloser {
  /** The implementation for the running JDK. */
  MappingCloser AVAILABLE = available(Runtime.version().feature());

  /** Maps a part of a file. */
  Mapping map(FileChannel channel, MapMode mode, long start, long length) throws IOException;

  private static MappingCloser available(int feature) {
    try {
      return feature >= 22 ? Arenas.find() : Cleaner.find();
    } catch (ReflectiveOperationException | RuntimeException e) {
      Logger log = LoggerFactory.getLogger(MappingCloser.class);
      log.debug("mappings end when they are collected", e);
      return (channel, mode, start, length) ->
          new Mapping(channel.map(mode, start, length), () -> {});
    }
  }

  /**
   * Ends mappings by closing shared arenas.
   *
   * @param ofShared creates an arena
   * @param map maps into an arena, and returns the segment's buffer
   */
  record Arenas(MethodHandle ofShared, MethodHandle map) implements MappingCloser {
    static Arenas find() throws ReflectiveOperationException {
      Class<?> arena = Class.forName("java.lang.foreign.Arena");
      Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      MethodHandle ofShared = lookup.findStatic(arena, "ofShared", MethodType.methodType(arena));
      MethodHandle map =
          lookup.findVirtual(
              FileChannel.class,
              "map",
              MethodType.methodType(segment, MapMode.class, long.class, long.class, arena));
      MethodHandle asByteBuffer =
          lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
      return new Arenas(ofShared, MethodHandles.filterReturnValue(map, asByteBuffer));
    }

    @Override
    public Mapping map(FileChannel channel, MapMode mode, long start, long length)
        throws IOException {
      try {
        // An arena without a mapping holds no resources, so it need not be closed if mapping fails.
        AutoCloseable arena = (AutoCloseable) ofShared.invoke();
        ByteBuffer bytes = (ByteBuffer) map.invoke(channel, mode, start, length, arena);
        return new Mapping(bytes, arena);
      } catch (IOException | RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("a file could not be mapped", e);
      }
    }
  }

  /**
   * Ends mappings by {@code Unsafe.invokeCleaner}.
   *
   * @param invokeCleaner takes a buffer
   */
  record Cleaner(MethodHandle invokeCleaner) implements MappingCloser {
    static Cleaner find() throws ReflectiveOperationException {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      return new Cleaner(
          MethodHandles.lookup()
              .findVirtual(
                  unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
              .bindTo(instance.get(null)));
    }

    @Override
    public Mapping map(FileChannel channel, MapMode mode, long start, long length)
        throws IOException {
      ByteBuffer bytes = channel.map(mode, start, length);
      return new Mapping(bytes, () -> end(bytes));
    }

    private void end(ByteBuffer bytes) {
      try {
        invokeCleaner.invokeExact(bytes);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
