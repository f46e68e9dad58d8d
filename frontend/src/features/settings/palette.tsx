import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { count } from "../../lib/format";
import { composing } from "../../lib/keys";
import { Dialog } from "../../ui/dialog";
import { EmptyState } from "../../ui/empty-state";
import { Icon, type IconName } from "../../ui/icon";
import { Kbd } from "../../ui/kbd";
import { SafeText } from "../../ui/safetext";
import { words } from "../../words";
import "./palette.css";

/** One thing that can be done now. */
export interface Command {
  id: string;
  group: string;
  label: string;
  /** Searched and shown in grey. */
  note?: string;
  icon: IconName;
  keys?: string;
  run: () => void;
}

export interface PaletteProps {
  open: boolean;
  onClose: () => void;
  commands: Command[];
}

/** Every action and every session in one list with a search. */
export function Palette({ open, onClose, commands }: PaletteProps) {
  return (
    <Dialog
      bare
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={words.palette.title}
      className="palette"
      scrimClassName="palette-scrim"
    >
      <PaletteBody commands={commands} onClose={onClose} />
    </Dialog>
  );
}

function search(commands: Command[], query: string): Command[] {
  const parts = query.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter((command) => {
    const text = `${command.label} ${command.note ?? ""}`.toLowerCase();
    return parts.every((part) => text.includes(part));
  });
}

function PaletteBody({ commands, onClose }: Omit<PaletteProps, "open">) {
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const hits = useMemo(() => search(commands, query), [commands, query]);
  const chosen = Math.min(at, hits.length - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row that is chosen scrolls into view.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [chosen, hits]);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const key = (event: KeyboardEvent) => {
    if (composing(event)) return;
    const to: Record<string, number> = {
      ArrowDown: chosen + 1,
      ArrowUp: chosen - 1,
      PageDown: chosen + 8,
      PageUp: chosen - 8,
    };
    const next = to[event.key];
    if (next !== undefined) setAt(Math.max(0, Math.min(hits.length - 1, next)));
    else if (event.key === "Enter") run(hits[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <label className="palette-field">
        <Icon name="search" />
        <input
          value={query}
          aria-label={words.palette.title}
          placeholder={words.palette.title}
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={hits[chosen] ? `cmd-${hits[chosen].id}` : undefined}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={key}
        />
        <span className="faint small num" role="status">
          {words.palette.of(count(hits.length), count(commands.length))}
        </span>
        <Kbd keys="Esc" />
      </label>
      <div
        className="scroll palette-list"
        id="palette-list"
        role="listbox"
        aria-label={words.palette.title}
        ref={list}
      >
        {hits.map((command, n) => (
          <Row
            key={command.id}
            command={command}
            head={command.group !== hits[n - 1]?.group}
            selected={n === chosen}
            onRun={() => run(command)}
          />
        ))}
        {hits.length === 0 && <EmptyState icon="search" title={words.palette.nothing} />}
      </div>
      <footer className="palette-foot faint tiny row">
        <Kbd keys="↑+↓" /> {words.palette.move} <Kbd keys="Enter" /> {words.palette.run}
      </footer>
    </>
  );
}

function Row({
  command,
  head,
  selected,
  onRun,
}: {
  command: Command;
  head: boolean;
  selected: boolean;
  onRun: () => void;
}) {
  return (
    <>
      {head && (
        <div className="group" role="presentation">
          {command.group}
        </div>
      )}
      <div
        id={`cmd-${command.id}`}
        className="item"
        role="option"
        aria-selected={selected}
        tabIndex={-1}
        onClick={onRun}
        onKeyDown={() => {}}
      >
        <Icon name={command.icon} />
        <span className="cut">
          <SafeText text={command.label} />
        </span>
        {command.note && (
          <span className="faint cut small">
            <SafeText text={command.note} />
          </span>
        )}
        {command.keys && (
          <span className="end">
            <Kbd keys={command.keys} />
          </span>
        )}
      </div>
    </>
  );
}
