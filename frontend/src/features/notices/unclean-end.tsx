import { useState } from "react";
import { sentence } from "../../backend/error";
import type { event } from "../../backend/types";
import * as actions from "../../state/actions";
import { useKandev } from "../../state/use";
import { Button } from "../../ui/button";
import { focusStart } from "../../ui/focus-start";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { words } from "../../words";

/** The last run did not end in order: a report to read and to copy. Nothing is sent. */
export function UncleanEnd({ notice }: { notice: event.Notice }) {
  const { store, backend } = useKandev();
  const [report, setReport] = useState("");
  const [copied, setCopied] = useState(false);
  const failed = (error: unknown) => actions.report(store, sentence(error));
  const toggle = () => {
    if (report) setReport("");
    else backend.uncleanReport().then(setReport, failed);
  };
  const copy = async () => {
    try {
      const text = report || (await backend.uncleanReport());
      await navigator.clipboard.writeText(text).catch(() => {
        throw new Error(words.copyFailed);
      });
      setCopied(true);
    } catch (error) {
      failed(error);
    }
  };
  return (
    <div className="notice notice-report" role="status">
      <Icon name="warn" />
      <span className="grow">
        <SafeText text={notice.text} />
      </span>
      <Button small aria-expanded={report !== ""} onClick={toggle}>
        {report ? words.unclean.hide : words.unclean.show}
      </Button>
      <Button small onClick={copy}>
        {copied ? words.copied : words.unclean.copy}
      </Button>
      <Button
        small
        onClick={() => {
          focusStart();
          backend.dismissUnclean().catch(failed);
        }}
      >
        {words.unclean.dismiss}
      </Button>
      {report && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached with the keyboard.
        <section className="code notice-text" aria-label={words.unclean.report} tabIndex={0}>
          <pre>
            <SafeText text={report} lines />
          </pre>
        </section>
      )}
    </div>
  );
}
