// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ReportTest {
  @TempDir Path folder;

  private static Document parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  private static Medians medians() {
    Medians medians = new Medians();
    for (double value : new double[] {30, 10, 20}) {
      medians.add("mine", "write", value);
      medians.add("other", "write", value / 2);
    }
    medians.add("mine", "read", 7);
    return medians;
  }

  @Test
  void takesTheMiddleAndTheSpreadOfRuns() {
    assertThat(Spread.of(4, 1, 3, 2)).isEqualTo(new Spread(2.5, 1, 4));
    assertThat(Spread.of(List.of(5.0, 9.0, 1.0))).isEqualTo(new Spread(5, 1, 9));
    assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void comparesMediansWithABaseline() {
    assertThat(medians().table("engine", "%,.0f").lines())
        .containsExactly("engine  write  read", "mine       20     7", "other      10     -");
    assertThat(medians().ratio("mine", "other", "write")).hasValue(2.0);
    assertThat(medians().ratio("mine", "other", "read")).isEmpty();
  }

  @Test
  void quotesWhatWouldBreakATable() {
    ReportTable table = new ReportTable("a", "b").row("x,y", "say \"no\"").row("1|2", "3");
    assertThat(table.csv()).containsExactly("a,b", "\"x,y\",\"say \"\"no\"\"\"", "1|2,3");
    assertThat(table.markdown()).contains("| 1\\|2 | 3 |");
    assertThatThrownBy(() -> table.row("alone")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void drawsBarsAndLinesAsSvgAndPng() throws Exception {
    LineChart lines =
        new LineChart("latency", "A", "µs")
            .logarithmicX()
            .fromZero()
            .line("BASIC", new double[] {0.02, 0.05, 0.1}, new double[] {4, 3, 2})
            .line("EAGER", new double[] {0.02, 0.05, 0.1}, new double[] {1, 2, 3});
    for (Chart chart : List.of(medians().bars("rates", "rows/s"), lines)) {
      chart.write(folder.resolve("plots"), "chart");
      String svg = Files.readString(folder.resolve("plots/chart.svg"));
      assertThat(parse(svg).getDocumentElement().getAttribute("viewBox")).isEqualTo("0 0 900 420");
      byte[] png = Files.readAllBytes(folder.resolve("plots/chart.png"));
      assertThat(ImageIO.read(new ByteArrayInputStream(png)).getWidth()).isEqualTo(900);
    }
    assertThat(lines.svg()).contains("rgb(0,114,178)", "rgb(230,159,0)");
  }

  @Test
  void writesOnePageThatNeedsNothingElse() throws Exception {
    Path file = folder.resolve("deep/report.html");
    new HtmlReport("Ours & \"theirs\"")
        .heading("Rates <1>")
        .subheading("zipfian")
        .paragraph("More is better.")
        .lines(List.of("./accordion bench", "a < b"))
        .table(medians().table("engine", "%.1f"))
        .chart(medians().bars("rates", "rows/s"))
        .write(file);
    String html = Files.readString(file, StandardCharsets.UTF_8);
    assertThat(html)
        .startsWith("<!DOCTYPE html>")
        .contains("<title>Ours &amp; &quot;theirs&quot;</title>", "<h2>Rates &lt;1&gt;</h2>")
        .contains("<td>mine</td><td>20.0</td><td>7.0</td>", "a &lt; b", "<svg ")
        .doesNotContain("src=", "href=\"http", "<script", "<link");
  }
}
