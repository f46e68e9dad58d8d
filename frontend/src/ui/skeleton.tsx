import { useEffect, useState } from "react";
import { words } from "../words";

const widths = ["62%", "48%", "71%", "40%", "55%", "66%", "44%", "58%"];

/** Still grey bars at row height while something loads; nothing at all in the first 150 ms. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  return (
    <div role="status" aria-label={words.loading}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move.
        <div className="bone-row" key={row}>
          <span className="bone" style={{ width: widths[row % widths.length] }} />
        </div>
      ))}
    </div>
  );
}
