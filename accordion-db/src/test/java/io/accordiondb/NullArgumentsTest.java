// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.accordiondb.filter.Filters;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.VersionRules;
import io.accordiondb.typed.Codec;
import io.accordiondb.typed.Codecs;
import io.accordiondb.typed.KeyCodec;
import io.accordiondb.typed.KeyPrefix;
import io.accordiondb.typed.Tuple2Codec;
import io.accordiondb.typed.Tuple3Codec;
import io.accordiondb.typed.Tuple4Codec;
import io.accordiondb.typed.TypedReads;
import io.accordiondb.typed.TypedStore;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Null is refused at once wherever the interface does not allow it, by an exception that says what
 * is null. Goes through all public methods with one argument null at a time.
 */
class NullArgumentsTest {
  private static final byte[] F = bytes("f");

  @TempDir Path folder;

  private record UnusedSnapshot(long sequenceNumber) implements Snapshot {
    @Override
    public void close() {}
  }

  /** Returns a store that has but a name. */
  private static Object unusedStore() {
    return Proxy.newProxyInstance(
        KeyValueStore.class.getClassLoader(),
        new Class<?>[] {KeyValueStore.class},
        (proxy, method, arguments) -> "f");
  }

  /** Returns an argument that is fine for a parameter. */
  private Object sample(Parameter parameter) {
    Class<?> type = parameter.getType();
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    Map<Class<?>, Object> samples =
        Map.ofEntries(
            Map.entry(byte[].class, F),
            Map.entry(byte[][].class, new byte[][] {bytes("s")}),
            Map.entry(ByteBuffer.class, ByteBuffer.wrap(F)),
            Map.entry(String.class, "f"),
            Map.entry(Object.class, "f"),
            Map.entry(Class.class, CompareOperator.class),
            Map.entry(KeyCodec.class, Codecs.STRING),
            Map.entry(Codec.class, Codecs.STRING),
            Map.entry(KeyPrefix.class, KeyPrefix.ofString("f")),
            Map.entry(Function.class, Function.identity()),
            Map.entry(BiFunction.class, (BiFunction<Object, Object, Object>) (a, b) -> a),
            Map.entry(Tuple3Codec.Maker.class, (Tuple3Codec.Maker<?, ?, ?, ?>) (a, b, c) -> "f"),
            Map.entry(
                Tuple4Codec.Maker.class, (Tuple4Codec.Maker<?, ?, ?, ?, ?>) (a, b, c, d) -> "f"),
            Map.entry(String[].class, new String[] {"f"}),
            Map.entry(int.class, 1),
            Map.entry(long.class, 1L),
            Map.entry(LongConsumer.class, (LongConsumer) number -> {}),
            Map.entry(boolean.class, true),
            Map.entry(Put.class, new Put(F).addColumn(F, F, F)),
            Map.entry(Delete.class, new Delete(F)),
            Map.entry(DeleteRange.class, new DeleteRange(F, F)),
            Map.entry(Get.class, new Get(F)),
            Map.entry(Scan.class, new Scan()),
            Map.entry(Increment.class, new Increment(F).addColumn(F, F, 1)),
            Map.entry(Append.class, new Append(F).addColumn(F, F, F)),
            Map.entry(Merge.class, new Merge(F).addColumn(F, F, F)),
            Map.entry(MergeOperator.class, MergeOperator.associative("f", (a, b) -> b)),
            Map.entry(
                CompactionFilter.class, (CompactionFilter) cell -> CompactionFilter.Decision.KEEP),
            Map.entry(BinaryOperator.class, (BinaryOperator<byte[]>) (a, b) -> b),
            Map.entry(Mutation.class, new Delete(F)),
            Map.entry(RowMutations.class, new RowMutations(F).add(new Delete(F))),
            Map.entry(
                CheckAndMutate.class,
                CheckAndMutate.builder(F).ifExists(F, F).build(new Delete(F))),
            Map.entry(List.class, List.of()),
            Map.entry(Collection.class, List.of()),
            Map.entry(KeyValueStore.class, unusedStore()),
            Map.entry(UnaryOperator.class, UnaryOperator.identity()),
            Map.entry(Set.class, Set.of(1L)),
            Map.entry(Map.class, Map.of()),
            Map.entry(Path.class, folder.resolve("path")),
            Map.entry(WriteBatch.class, new WriteBatch().put("f", new Put(F).addColumn(F, F, F))),
            Map.entry(TableDescriptor.class, TableDescriptor.of("f", "f")),
            Map.entry(FamilyDescriptor.class, FamilyDescriptor.of("f")),
            Map.entry(VersionRules.class, FamilyDescriptor.of("f").versionRules()),
            Map.entry(MemStorePolicy.class, MemStorePolicy.DEFAULT),
            Map.entry(SegmentLayout.class, SegmentLayout.DEFAULT),
            Map.entry(DatabaseOptions.class, DatabaseOptions.defaults()),
            Map.entry(KeyProvider.class, TestKeys.current("a")),
            Map.entry(RestorePoint.class, RestorePoint.sequence(0)),
            Map.entry(Instant.class, Instant.EPOCH),
            Map.entry(Filter.class, Filters.keyOnly()),
            Map.entry(Filter[].class, new Filter[] {Filters.keyOnly()}),
            Map.entry(Duration.class, Duration.ofSeconds(1)),
            Map.entry(InstantSource.class, InstantSource.system()),
            Map.entry(Snapshot.class, new UnusedSnapshot(0)),
            Map.entry(Savepoint.class, new Savepoint() {}),
            Map.entry(Transaction.Body.class, (Transaction.Body<Object>) transaction -> F),
            Map.entry(Consumer.class, (Consumer<Object>) ignored -> {}));
    Object sample = samples.get(type);
    return sample == null ? fail("no sample of " + type) : sample;
  }

  /** Calls a method or constructor once for each of its parameters, with null for that one. */
  private List<String> wrongAnswers(Executable called, @Nullable Object target) throws Exception {
    List<String> wrong = new ArrayList<>();
    Parameter[] parameters = called.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      Parameter parameter = parameters[i];
      if (parameter.getType().isPrimitive()
          || parameter.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        continue;
      }
      Object[] arguments = new Object[parameters.length];
      for (int j = 0; j < arguments.length; j++) {
        arguments[j] = j == i ? null : sample(parameters[j]);
      }
      String answer = answer(called, target, arguments);
      if (answer != null) {
        wrong.add(called + ", parameter " + parameter.getName() + ": " + answer);
      }
    }
    return wrong;
  }

  private static @Nullable String answer(
      Executable called, @Nullable Object target, Object[] arguments)
      throws IllegalAccessException, InstantiationException {
    called.setAccessible(true);
    try {
      Object answer =
          called instanceof Method method
              ? method.invoke(target, arguments)
              : ((Constructor<?>) called).newInstance(arguments);
      return "returned " + (answer == null ? null : answer.getClass());
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (!(cause instanceof NullPointerException)
          && !(cause instanceof IllegalArgumentException)) {
        return "threw " + cause;
      }
      return cause.getMessage() == null ? "does not say what is null" : null;
    }
  }

  private List<String> wrongAnswersOfStaticsAndConstructors(Class<?>... types) throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Class<?> type : types) {
      // Options come from their builder.
      for (Constructor<?> constructor :
          type.isRecord() ? new Constructor<?>[0] : type.getConstructors()) {
        wrong.addAll(wrongAnswers(constructor, null));
      }
      for (Method method : type.getMethods()) {
        if (Modifier.isStatic(method.getModifiers())) {
          wrong.addAll(wrongAnswers(method, null));
        }
      }
    }
    return wrong;
  }

  private List<String> wrongAnswersOf(Class<?> type, Object target) throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Method method : type.getMethods()) {
      if (!Modifier.isStatic(method.getModifiers())
          && method.getDeclaringClass() != Object.class
          && !method.getName().equals("equals")) {
        wrong.addAll(wrongAnswers(method, target));
      }
    }
    return wrong;
  }

  @Test
  void requestsRefuseNull() throws Exception {
    List<String> wrong =
        wrongAnswersOfStaticsAndConstructors(
            Put.class,
            Delete.class,
            Get.class,
            Scan.class,
            Increment.class,
            Append.class,
            Merge.class,
            RowMutations.class,
            CheckAndMutate.class,
            WriteBatch.class,
            Filters.class,
            TableDescriptor.class,
            FamilyDescriptor.class,
            DatabaseOptions.class,
            Result.class);
    wrong.addAll(wrongAnswersOf(Put.class, new Put(F)));
    wrong.addAll(wrongAnswersOf(Delete.class, new Delete(F)));
    wrong.addAll(wrongAnswersOf(RowMutations.class, new RowMutations(F)));
    wrong.addAll(
        wrongAnswersOf(CheckAndMutate.Builder.class, CheckAndMutate.builder(F).ifExists(F, F)));
    wrong.addAll(wrongAnswersOf(Get.class, new Get(F)));
    wrong.addAll(wrongAnswersOf(Scan.class, new Scan()));
    wrong.addAll(wrongAnswersOf(Increment.class, new Increment(F)));
    wrong.addAll(wrongAnswersOf(Append.class, new Append(F)));
    wrong.addAll(wrongAnswersOf(Merge.class, new Merge(F)));
    wrong.addAll(wrongAnswersOf(WriteBatch.class, new WriteBatch()));
    wrong.addAll(wrongAnswersOf(Result.class, Result.EMPTY));
    wrong.addAll(wrongAnswersOf(DatabaseOptions.class, DatabaseOptions.defaults()));
    wrong.addAll(wrongAnswersOf(DatabaseOptions.Builder.class, DatabaseOptions.builder()));
    wrong.addAll(wrongAnswersOf(TableDescriptor.Builder.class, TableDescriptor.builder("f")));
    wrong.addAll(wrongAnswersOf(FamilyDescriptor.Builder.class, FamilyDescriptor.builder("f")));
    assertThat(wrong).isEmpty();
  }

  @Test
  void databaseRefusesNullAndGoesOn() throws Exception {
    MemoryStorage storage = new MemoryStorage();
    try (Database database = open(storage)) {
      database.createTable(TableDescriptor.of("f", "f"));
      KeyValueStore store = database.keyValueStore("kv");
      List<String> wrong = wrongAnswersOf(Database.class, database);
      wrong.addAll(wrongAnswersOf(Table.class, database.table("f")));
      wrong.addAll(wrongAnswersOf(KeyValueStore.class, store));
      wrong.addAll(wrongAnswersOf(KeyValueBatch.class, store.writeBatch()));
      try (Transaction transaction = database.beginTransaction()) {
        wrong.addAll(wrongAnswersOf(Transaction.class, transaction));
        wrong.addAll(wrongAnswersOf(Table.class, transaction.table("f")));
        wrong.addAll(wrongAnswersOf(KeyValueStore.class, transaction.keyValueStore("kv")));
      }
      wrong.addAll(
          wrongAnswersOf(
              SortedFileWriter.class,
              SortedFileWriter.create(folder.resolve("file"), FamilyDescriptor.of("f"))));
      wrong.addAll(
          wrongAnswersOfStaticsAndConstructors(
              Database.class, SortedFileWriter.class, RestorePoint.class, RollForward.class));
      assertThat(wrong).isEmpty();
      store.put(F, F);
    }
    try (Database database = open(storage)) {
      assertThat(database.keyValueStore("kv").get(F)).isEqualTo(F);
      assertThat(database.tables()).hasSize(2);
    }
  }

  @Test
  void typedViewsRefuseNull() throws Exception {
    try (Database database = open(new MemoryStorage());
        Snapshot snapshot = database.snapshot()) {
      TypedStore<String, String> store =
          TypedStore.of(database.keyValueStore("kv"), Codecs.STRING, Codecs.STRING);
      Tuple2Codec<String, String, String> tuple =
          Codecs.tuple(Codecs.STRING, t -> t, Codecs.STRING, t -> t, (a, b) -> a);
      List<String> wrong =
          wrongAnswersOfStaticsAndConstructors(
              Codec.class, Codecs.class, KeyPrefix.class, TypedStore.class);
      wrong.addAll(wrongAnswersOf(TypedStore.class, store));
      wrong.addAll(wrongAnswersOf(TypedReads.class, store.at(snapshot)));
      wrong.addAll(wrongAnswersOf(Tuple2Codec.class, tuple));
      wrong.addAll(wrongAnswersOf(KeyCodec.class, Codecs.STRING));
      wrong.addAll(wrongAnswersOf(KeyCodec.class, Codecs.LONG));
      assertThat(wrong).isEmpty();
    }
  }

  private static Database open(MemoryStorage storage) throws IOException {
    return DatabaseEngine.open(storage, DatabaseOptions.builder().memoryBytes(4 << 20).build());
  }
}
