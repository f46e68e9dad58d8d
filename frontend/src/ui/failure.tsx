import { SafeText } from "./safetext";
import { StatusShape } from "./shape";

/** Why something did not work, where the person looks at that moment. Nothing while there is none. */
export function Failure({ text }: { text: string }) {
  return (
    <div role="alert" className="failure-place">
      {text !== "" && (
        <p className="failure">
          <StatusShape shape="failed" tone="bad" />
          <span>
            <SafeText text={text} lines />
          </span>
        </p>
      )}
    </div>
  );
}
