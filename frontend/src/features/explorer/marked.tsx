import { SafeText } from "../../ui/safetext";

/** A text whose odd parts are what was searched for. */
export function Marked({ parts }: { parts: string[] }) {
  if (parts.length === 1) return <SafeText text={parts[0] ?? ""} />;
  return parts.map((part, n) =>
    n % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity.
      <b className="hit" key={n}>
        <SafeText text={part} />
      </b>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity.
      <SafeText text={part} key={n} />
    ),
  );
}
