import { useEffect, useState } from "react";
import { words } from "../words";
import { IconButton } from "./button";

/** Copies a text, which it may first have to fetch, and says so for two seconds. */
export function CopyButton({
  label,
  text,
}: {
  label: string;
  text: string | (() => string | Promise<string>);
}) {
  const [said, setSaid] = useState<"" | "copied" | "failed">("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? await text() : text);
      setSaid("copied");
    } catch {
      setSaid("failed");
    }
  };
  const shown = said === "copied" ? words.copied : said === "failed" ? words.copyFailed : label;
  return (
    <>
      <IconButton small icon={said === "copied" ? "check" : "copy"} label={shown} onClick={copy} />
      <span className="sr" role="status">
        {said === "" ? "" : shown}
      </span>
    </>
  );
}
