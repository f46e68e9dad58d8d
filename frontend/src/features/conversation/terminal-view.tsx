import { useLayoutEffect, useRef } from "react";
import type { Terminal } from "../../backend/types";
import { printed } from "../../lib/terminal-text";
import { CopyButton } from "../../ui/copy-button";
import { SafeText } from "../../ui/safetext";
import { type Status, StatusDot } from "../../ui/status-dot";
import { words } from "../../words";

/** How a command stands, in a word; a code other than 0 is a failure. */
export function terminalStatus(terminal: Terminal): Status {
  const say = words.terminal;
  if (!terminal.command) return { shape: "unknown", tone: "idle", word: say.none };
  if (!terminal.ended) return { shape: "working", tone: "ok", word: say.running };
  if (terminal.signal) return { shape: "stopped", tone: "idle", word: say.signal(terminal.signal) };
  if (terminal.code === undefined) return { shape: "stopped", tone: "idle", word: say.ended };
  const word = say.exit(String(terminal.code));
  return terminal.code === 0 ? { shape: "done", tone: "idle", word } : { shape: "failed", tone: "bad", word };
}

/** A command that the agent runs in a terminal of ours: what, what it printed so far, how it ended. */
export function TerminalView({ terminal }: { terminal: Terminal }) {
  const output = terminal.output ?? "";
  const note = noteOf(terminal);
  return (
    <div className="code term">
      <div className="code-head">
        <code className="term-command">
          {terminal.command && <span className="faint">$ </span>}
          <SafeText text={terminal.command || terminal.id} lines />
        </code>
        <StatusDot status={terminalStatus(terminal)} />
        {output && <CopyButton label={words.terminal.copy} text={output} />}
      </div>
      {note && <p className="term-note faint small">{note}</p>}
      {output && <Printed output={output} />}
    </div>
  );
}

// What is missing of the output, or that there was none; "" while there is nothing to say.
function noteOf({ command, output, cut, ended }: Terminal): string {
  const say = words.terminal;
  if (output) return cut ? say.cut : "";
  if (!ended || !command) return "";
  return cut ? say.lost : say.silent;
}

// What comes is followed, unless the person looks at something further up.
function Printed({ output }: { output: string }) {
  const frame = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another output is what moves the end.
  useLayoutEffect(() => {
    if (frame.current && atEnd.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, [output]);
  const scrolled = ({ currentTarget: at }: { currentTarget: HTMLPreElement }) => {
    atEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < 8;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre ref={frame} dir="ltr" className="block-text" tabIndex={0} onScroll={scrolled}>
      <SafeText text={printed(output)} lines />
    </pre>
  );
}
