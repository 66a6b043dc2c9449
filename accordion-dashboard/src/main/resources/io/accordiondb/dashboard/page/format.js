// Licensed under the Apache License, Version 2.0; see the LICENSE file.
// How numbers read.

const NUMBER = new Intl.NumberFormat('en', {maximumFractionDigits: 0});

/** A number with three digits that count: 12,345 or 1.23. */
function short(value, digits) {
  return value.toLocaleString('en', {maximumSignificantDigits: digits});
}

export function count(value) {
  return NUMBER.format(value);
}

/** A large number with a unit: 1.23 M. */
export function large(value) {
  if (value < 10_000) {
    return NUMBER.format(value);
  }
  if (value < 1e6) {
    return `${short(value / 1e3, 3)} k`;
  }
  return value < 1e9 ? `${short(value / 1e6, 3)} M` : `${short(value / 1e9, 3)} G`;
}

export function bytes(value) {
  if (value < 1000) {
    return `${NUMBER.format(value)} B`;
  }
  if (value < 1e6) {
    return `${short(value / 1e3, 3)} kB`;
  }
  if (value < 1e9) {
    return `${short(value / 1e6, 3)} MB`;
  }
  return value < 1e12 ? `${short(value / 1e9, 3)} GB` : `${short(value / 1e12, 3)} TB`;
}

export function nanos(value) {
  if (value < 1000) {
    return `${Math.round(value)} ns`;
  }
  if (value < 1e6) {
    return `${short(value / 1e3, 3)} µs`;
  }
  return value < 1e9 ? `${short(value / 1e6, 3)} ms` : `${short(value / 1e9, 3)} s`;
}

export function percent(share) {
  const value = share * 100;
  return `${value > 0 && value < 10 ? short(value, 2) : Math.round(value)} %`;
}

export function ratio(value) {
  return short(value, 3);
}

export function clock(millis) {
  return new Date(millis).toLocaleTimeString('en-GB');
}

/** Makes an element with a class, a text, and children. */
export function element(name, className, text, ...children) {
  const made = document.createElement(name);
  if (className) {
    made.className = className;
  }
  if (text) {
    made.textContent = text;
  }
  made.append(...children);
  return made;
}

/** Sets a text only where it differs, so that nothing flickers and no selection is lost. */
export function setText(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/**
 * Fills the body of a table with rows of cells [text, class], the first of each a head, in place of
 * what stands there: elements stay, so that nothing flickers and no selection is lost.
 */
export function fillRows(body, rows) {
  while (body.rows.length > rows.length) {
    body.deleteRow(-1);
  }
  rows.forEach((cells, i) => {
    const row = body.rows[i] ?? body.insertRow();
    while (row.cells.length > cells.length) {
      row.deleteCell(-1);
    }
    cells.forEach(([text, className = ''], j) => {
      if (!row.cells[j]) {
        const cell = element(j === 0 ? 'th' : 'td');
        if (j === 0) {
          cell.scope = 'row';
        }
        row.append(cell);
      }
      setText(row.cells[j], text);
      row.cells[j].className = className;
    });
  });
}
