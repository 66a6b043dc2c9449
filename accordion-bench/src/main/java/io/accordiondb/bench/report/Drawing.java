// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.util.SVGConstants;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The common look of all charts, and their output as SVG and PNG. */
final class Drawing {
  static final int WIDTH = 900;
  static final int HEIGHT = 420;

  /** Colours that are also distinct for people with red-green blindness (Okabe and Ito). */
  private static final Color[] COLOURS = {
    new Color(0x0072B2),
    new Color(0xE69F00),
    new Color(0x009E73),
    new Color(0xCC79A7),
    new Color(0x56B4E9),
    new Color(0xD55E00),
    new Color(0x999999),
    new Color(0xF0E442),
    new Color(0x5F3DA0),
    new Color(0x000000)
  };

  private Drawing() {}

  static void style(AxesChartStyler styler) {
    // There may be no display.
    System.setProperty("java.awt.headless", "true");
    Font plain = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
    styler.setChartTitleBoxVisible(false);
    styler.setLegendFont(plain).setLegendPosition(LegendPosition.OutsideE);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setAxisTitleFont(plain).setAxisTickLabelsFont(plain);
    styler.setChartBackgroundColor(Color.WHITE).setPlotBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesColor(new Color(0xDDDDDD)).setPlotGridVerticalLinesVisible(false);
    styler.setPlotGridLinesStroke(new BasicStroke(1));
    styler.setSeriesColors(COLOURS);
    styler.setDecimalPattern("#,###.##");
  }

  static String svg(Chart<?, ?> chart) {
    SVGGraphics2D graphics = new SVGGraphics2D(emptyDocument());
    chart.paint(graphics, WIDTH, HEIGHT);
    Element root = graphics.getRoot();
    root.setAttribute("viewBox", "0 0 " + WIDTH + " " + HEIGHT);
    StringWriter writer = new StringWriter();
    try {
      graphics.stream(root, writer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // What comes before the element (declaration, document type) has no place in a page.
    String text = writer.toString();
    return text.substring(text.indexOf("<svg"));
  }

  private static Document emptyDocument() {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument(SVGConstants.SVG_NAMESPACE_URI, SVGConstants.SVG_SVG_TAG, null);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }

  static void write(Chart<?, ?> chart, Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(name + ".svg"), svg(chart));
    Files.write(
        folder.resolve(name + ".png"), BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG));
  }
}
