import { caps } from "../lib/keys";

/** Key caps, written like "Mod+Shift+M". Mod is Ctrl, on macOS ⌘. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="kbds" aria-hidden="true">
      {caps(keys).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}
