import { describe, expect, it } from "vitest";
import * as format from "./format";

describe("tokens", () => {
  it.each([
    [1, "~1 token"],
    [0, "~0 tokens"],
    [18_420, "~18,420 tokens"],
    [undefined, "—"],
  ])("%s is %s", (n, text) => {
    expect(format.tokens(n)).toBe(text);
  });

  it("has figures alone", () => {
    expect(format.tokenFigure(1234)).toBe("~1,234");
    expect(format.tokenFigure(undefined)).toBe("—");
    expect(format.known(undefined)).toBe("—");
    expect(format.known(0)).toBe("0");
  });
});

describe("sizes and times", () => {
  it.each([
    [999, "999 B"],
    [65_536, "64 KiB"],
    [83_000, "81 KiB"],
    [1_300_000, "1.2 MiB"],
    [50_000_000, "48 MiB"],
    [5_000_000_000, "4.7 GiB"],
  ])("%s bytes are %s", (n, text) => {
    expect(format.bytes(n)).toBe(text);
  });

  it.each([
    [38, "38 ms"],
    [2900, "2.9 s"],
    [14_000, "14 s"],
    [252_000, "4 min 12 s"],
    [3_900_000, "1 h 5 min"],
    [-5, "0 ms"],
  ])("%s ms took %s", (n, text) => {
    expect(format.duration(n)).toBe(text);
  });

  it("runs a clock", () => {
    expect([7000, 252_000, 3_852_000, -1].map(format.elapsed)).toEqual(["0:07", "4:12", "1:04:12", "0:00"]);
  });

  it("names the day when it is not today, and never the future", () => {
    const now = new Date(2026, 8, 14, 12, 0).getTime();
    const at = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime();
    expect(format.clock(at(2026, 8, 14, 9, 12), now)).toBe("09:12");
    expect(format.clock(at(2026, 8, 3, 9, 12), now)).toMatch(/^3 Sept? 09:12$/);
    expect(format.clock(at(2025, 8, 3, 9, 12), now)).toMatch(/^3 Sept? 2025 09:12$/);
    expect(format.clock(now + 3_600_000, now)).toBe("just now");
    expect(format.clock(undefined, now)).toBe("");
    expect(format.clockAt(at(2026, 8, 14, 23, 12), now)).toBe("23:12");
  });
});
