import { describe, expect, it, test } from "vitest";
import css from "./tokens.css?raw";

// Case 110: every pair of colours that the window puts on one another can be read, in both themes.

type Pair = [light: number, dark: number];

const [base = "", , forced = ""] = css.split("@media");

const colours = new Map<string, Pair>();
const oklch = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`;
for (const found of base.matchAll(
  new RegExp(String.raw`--([\w-]+):\s*light-dark\(\s*${oklch},\s*${oklch}\s*\)`, "g"),
)) {
  const [, name = "", ...numbers] = found;
  const [l = 0, c = 0, h = 0, ...dark] = numbers.map(Number);
  colours.set(name, [luminance(l, c, h), luminance(dark[0] ?? 0, dark[1] ?? 0, dark[2] ?? 0)]);
}

/** The relative luminance of WCAG 2.2, of the 8-bit colour that a screen shows. */
function luminance(lightness: number, chroma: number, hue: number): number {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const cone = (x: number, y: number) => (lightness + x * a + y * b) ** 3;
  const long = cone(0.3963377774, 0.2158037573);
  const middle = cone(-0.1055613458, -0.0638541728);
  const short = cone(-0.0894841775, -1.291485548);
  const shown = (linear: number) => {
    const x = Math.max(0, linear);
    const encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
    const eighth = Math.round(Math.min(1, encoded) * 255) / 255;
    return eighth <= 0.04045 ? eighth / 12.92 : ((eighth + 0.055) / 1.055) ** 2.4;
  };
  const red = shown(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short);
  const green = shown(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short);
  const blue = shown(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(over: string, under: string, theme: 0 | 1): number {
  const [x, y] = [over, under].map((name) => {
    const colour = colours.get(name);
    if (!colour) throw new Error(`--${name} is no colour of tokens.css`);
    return colour[theme] + 0.05;
  }) as [number, number];
  return Math.max(x, y) / Math.min(x, y);
}

/** The pairs below a bound, in words. */
function faint(over: string[], under: string[], least: number): string[] {
  const themes = ["light", "dark"] as const;
  return over.flatMap((one) =>
    under.flatMap((other) =>
      themes.flatMap((theme, n) => {
        const ratio = contrast(one, other, n as 0 | 1);
        return ratio < least ? [`${one} on ${other}, ${theme}: ${ratio.toFixed(2)}`] : [];
      }),
    ),
  );
}

const surfaces = ["bg-rail", "bg", "bg-float", "bg-sunken"];
const rows = [...surfaces, "bg-hover", "bg-select"];

describe("contrast", () => {
  test.each<[string, string[], string[], number]>([
    ["text", ["ink", "ink-2", "ink-3", "accent-ink", "ok-ink", "warn-ink", "bad-ink"], rows, 4.5],
    ["text while pressed", ["ink", "ink-2"], ["bg-press"], 4.5],
    ["text on a wash", ["ink", "ink-3"], ["ok-wash", "warn-wash", "bad-wash"], 4.5],
    ["text of a state on its wash", ["ok-ink"], ["ok-wash"], 4.5],
    ["a warning on its wash", ["warn-ink", "ink-2"], ["warn-wash"], 4.5],
    ["a failure on its wash", ["bad-ink"], ["bad-wash"], 4.5],
    ["the primary button", ["on-accent"], ["accent", "accent-press"], 4.5],
    ["shapes and the focus ring", ["glyph", "ok", "warn", "bad", "idle", "focus"], rows, 3],
    ["edges of fields, bars, fills", ["line-control", "bar", "accent"], surfaces, 3],
  ])("of %s", (_, over, under, least) => {
    expect(faint(over, under, least)).toEqual([]);
  });

  it("is that of black and white where they are", () => {
    expect((luminance(1, 0, 0) + 0.05) / (luminance(0, 0, 0) + 0.05)).toBeCloseTo(21, 5);
    expect(faint(["ink"], ["ink"], 1.01)).toHaveLength(2); // a pair below its bound is found
  });
});

it("forced colours replace every colour with one of the system's", () => {
  expect(forced).toContain("(forced-colors: active)");
  const names = [...base.matchAll(/--([\w-]+):\s*light-dark\(/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(35);
  const missing = names.filter(
    (name) =>
      !new RegExp(
        `--${name}: (Canvas|CanvasText|GrayText|Highlight|HighlightText|LinkText|transparent);`,
      ).test(forced),
  );
  expect(missing).toEqual([]);
});
