import { useEffect, useRef, useState } from "react";
import { useKandevState } from "../../state/use";
import { Dialog } from "../../ui/dialog";
import { words } from "../../words";
import { AgentsPage } from "./agents-page";
import { CustomAgents } from "./custom-agents";
import { General } from "./general";
import { ServersPage } from "./servers-page";
import { StoragePage } from "./storage-page";
import "./settings.css";

const pages = ["general", "agents", "servers", "storage"] as const;
type Page = (typeof pages)[number];

/** The settings in pages. The dialog's subject names the page it opens on. */
export function Settings({ open, onClose }: { open: boolean; onClose: () => void }) {
  // What Esc does on a page that lies over another one; null = it closes the settings.
  const back = useRef<(() => void) | null>(null);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={words.settings.title}
      className="settings-dialog"
      initialFocus={() => document.querySelector<HTMLElement>(".set-nav [aria-current]")}
      onEscape={(event) => {
        if (!back.current) return;
        event.preventDefault();
        back.current();
      }}
    >
      <Pages back={back} />
    </Dialog>
  );
}

function Pages({ back }: { back: { current: (() => void) | null } }) {
  const subject = useKandevState((state) => state.subject);
  const [page, setPage] = useState<Page>(pages.find((known) => known === subject) ?? "general");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has nothing to go back to.
  useEffect(() => {
    return () => {
      back.current = null;
    };
  }, [page, back]);
  return (
    <div className="set">
      <nav className="set-nav" aria-label={words.settings.title}>
        {pages.map((name) => (
          <button
            key={name}
            type="button"
            className="item"
            aria-current={name === page ? "true" : undefined}
            onClick={() => setPage(name)}
          >
            {words.settings.pages[name]}
          </button>
        ))}
      </nav>
      <div className="scroll set-page">
        {page === "general" && <General />}
        {page === "agents" && (
          <CustomAgents back={back}>
            <AgentsPage />
          </CustomAgents>
        )}
        {page === "servers" && <ServersPage back={back} />}
        {page === "storage" && <StoragePage />}
      </div>
    </div>
  );
}
