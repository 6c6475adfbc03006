const [WIDTH, HEIGHT, MARGIN] = [250, 170, 38];

/** Small multiples as SVG: cost against size, both logarithmic, with a grey line for what would be linear. */
export function printGrowth(series) {
  const columns = 3;
  const rows = Math.ceil(series.length / columns);
  const panels = series.map((one, index) =>
    printPanel(one, (index % columns) * WIDTH, Math.floor(index / columns) * HEIGHT),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${columns * WIDTH} ${rows * HEIGHT}" font-family="sans-serif" font-size="9">`,
    `<rect width="100%" height="100%" fill="white"/>`,
    ...panels,
    "</svg>\n",
  ].join("\n");
}

function printPanel({ label, points }, left, top) {
  const [sizes, costs] = [points.map(({ size }) => size), points.map(({ ms }) => ms)];
  const x = makeScale(sizes, left + MARGIN, left + WIDTH - 12);
  const y = makeScale(costs, top + HEIGHT - MARGIN, top + 24);
  const [first, last] = [points[0], points.at(-1)];
  const linearStart = (last.ms * first.size) / last.size;
  const path = points.map(({ size, ms }) => `${x(size).toFixed(1)},${y(ms).toFixed(1)}`).join(" ");
  const clipped = Math.max(linearStart, Math.min(...costs));
  const from = (first.size * clipped) / linearStart;
  return [
    `<text x="${left + MARGIN}" y="${top + 14}" font-weight="bold">${label}</text>`,
    `<line x1="${x(from).toFixed(1)}" y1="${y(clipped).toFixed(1)}" x2="${x(last.size).toFixed(1)}" y2="${y(last.ms).toFixed(1)}" stroke="#bbb" stroke-dasharray="3 3"/>`,
    `<polyline points="${path}" fill="none" stroke="#1f5fbf" stroke-width="1.5"/>`,
    ...points.map(
      ({ size, ms }) => `<circle cx="${x(size).toFixed(1)}" cy="${y(ms).toFixed(1)}" r="2.2" fill="#1f5fbf"/>`,
    ),
    ...[first, last].map(
      ({ size }) => `<text x="${x(size)}" y="${top + HEIGHT - 24}" text-anchor="middle">${size}</text>`,
    ),
    ...[Math.min(...costs), Math.max(...costs)].map(
      (ms) =>
        `<text x="${left + MARGIN - 4}" y="${y(ms) + 3}" text-anchor="end">${Number(ms.toPrecision(2))} ms</text>`,
    ),
  ].join("\n");
}

function makeScale(values, from, to) {
  const [low, high] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  return (value) => from + ((Math.log(value) - low) / (high - low || 1)) * (to - from);
}
