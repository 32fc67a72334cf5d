// What all charts have in common: a page that is light or dark as its reader's are, titles, figures as people read them.

const series = 6;
const light = { page: "#ffffff", ink: "#1c2024", quiet: "#57606a", rule: "#d8dde2", other: "#8c959f",
  lines: ["#0072b2", "#007a5a", "#b36b00", "#b0508c", "#c44500", "#5a4fcf"] };
const dark = { page: "#15181b", ink: "#e6e9ec", quiet: "#9aa5b1", rule: "#343b42", other: "#7d8791",
  lines: ["#58a6ff", "#3fc79a", "#e3a33b", "#e08cc0", "#ff8a57", "#a79bff"] };

const rules = ({ page, ink, quiet, rule, other, lines }) =>
  [
    `.page{fill:${page}}`,
    `.ink{fill:${ink}}`,
    `.figure{stroke:${page};stroke-width:4;stroke-linejoin:round;paint-order:stroke}`,
    `.quiet{fill:${quiet}}`,
    `.other{fill:${other}}`,
    `.rule{stroke:${rule};fill:none}`,
    ...lines.map((colour, i) => `.line-${i}{stroke:${colour};fill:none;stroke-width:2}.dot-${i}{fill:${colour}}`),
  ].join("");

const escaped = (words) => String(words).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const short = (number) => Number(number.toFixed(1));

export const text = (x, y, words, { kind = "quiet", anchor = "start", size = 12, weight = "normal" } = {}) =>
  `<text class="${kind}" x="${short(x)}" y="${short(y)}" text-anchor="${anchor}" font-size="${size}"` +
  `${weight === "normal" ? "" : ` font-weight="${weight}"`}>${escaped(words)}</text>`;
export const rule = (x1, y1, x2, y2) => `<path class="rule" d="M${short(x1)} ${short(y1)}L${short(x2)} ${short(y2)}"/>`;
export const bar = (x, y, width, height, kind) =>
  `<rect class="${kind}" x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"/>`;
export const polyline = (points, i) => `<path class="line-${i % series}" d="M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join("L")}"/>`;
export const dot = (x, y, i) => `<circle class="dot-${i % series}" cx="${short(x)}" cy="${short(y)}" r="3.5"/>`;

/// Three digits that count, and a comma behind the thousands: 0.25, 6.38, 99.6, 111,963.
export function figure(value) {
  if (value >= 99.95) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

export const scale = (from, to, low, high) => (value) => low + ((value - from) / (to - from)) * (high - low);
export const logScale = (from, to, low, high) => {
  const linear = scale(Math.log10(from), Math.log10(to), low, high);
  return (value) => linear(Math.log10(Math.min(Math.max(value, from), to)));
};

/// The file of a chart. `title` is what it shows, `subtitle` how to read it.
export function svg({ width, height, title, subtitle, parts }) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, 'DejaVu Sans', sans-serif" role="img">`,
    `<title>${escaped(title)}: ${escaped(subtitle)}</title>`,
    `<style>${rules(light)}@media (prefers-color-scheme: dark){${rules(dark)}}</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="6"/>`,
    text(16, 24, title, { kind: "ink", size: 14, weight: "bold" }),
    text(16, 42, subtitle),
    ...parts,
    "</svg>\n",
  ].join("\n");
}
