import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type * as t from "../../backend/types";
import { count } from "../../lib/format";
import { plainMarked } from "../../lib/hidden";
import { inTextField, letter } from "../../lib/keys";
import { useKandevState } from "../../state/use";
import { Button, IconButton } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { Kbd } from "../../ui/kbd";
import { Tip } from "../../ui/tip";
import { ToolLabel } from "../../ui/tool-label";
import { ArgumentTree } from "./argument-tree";
import { Description } from "./description";
import { RawJson } from "./raw-json";
import { argumentsOf } from "./schema-rows";
import { ToolSide } from "./tool-side";
import type { Listing, Model } from "./use-model";
import type { View } from "./view";
import { WarningList } from "./warning-list";
import { words } from "./words";
import "./tool.css";

export interface ToolPageProps {
  entry: t.Entry;
  model: Model;
  server: t.event.Server;
  listing: Listing;
  view: View;
  change: (change: Partial<View>) => void;
}

/** The third level: everything that is stored of one tool. */
export function ToolPage(props: ToolPageProps) {
  const { entry, model, server, listing, view, change } = props;
  const off = useKandevState((state) => state.settings.letters_off);
  const page = useRef<HTMLElement>(null);
  const known = useMemo(() => argumentsOf(entry), [entry]);
  const at = listing.hits.findIndex((hit) => hit.key === view.tool);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tool starts at its top.
  useEffect(() => {
    page.current?.querySelector(".page")?.scrollTo(0, 0);
  }, [view.tool]);
  // The focus goes to what scrolls, unless it is on a control that stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is another one.
  useLayoutEffect(() => {
    if (page.current?.contains(document.activeElement)) return;
    (page.current?.querySelector<HTMLElement>(".page, .raw") ?? page.current)?.focus({
      preventScroll: true,
    });
  }, [view.tool, view.json]);
  const go = (by: number) => {
    const next = listing.hits[at + by];
    if (next) change({ tool: next.key, active: next.key });
  };
  const key = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || inTextField(event.target)) return;
    // In the tree and in the JSON the arrows have a meaning of their own.
    const arrows = !(event.target as Element).closest("[role=tree], .raw");
    const by = letter(event, "J", off) || (arrows && letter(event, "ArrowRight", false)) ? 1 : 0;
    const back = letter(event, "K", off) || (arrows && letter(event, "ArrowLeft", false)) ? -1 : 0;
    if (by + back === 0) return;
    go(by + back);
    event.preventDefault();
  };
  return (
    <section
      className="ex-pane"
      ref={page}
      tabIndex={-1}
      onKeyDown={key}
      aria-label={plainMarked(entry.served)}
    >
      <PageHead {...props} at={at} onGo={go} />
      {view.json ? (
        <RawJson
          entry={entry}
          known={known}
          agent={model.agent.name}
          served={view.served}
          onServed={(served) => change({ served })}
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keys.
        <section className="page scroll" tabIndex={0} aria-label={words.about}>
          <div className="page-main">
            <WarningList warnings={listing.index.warnings(entry)} />
            <Description entry={entry} />
            <ArgumentTree
              key={view.tool}
              entry={entry}
              known={known}
              agent={model.agent.name}
              onJson={() => change({ json: true })}
            />
          </div>
          <ToolSide entry={entry} model={model} server={server} use={listing.index.use(entry)} />
        </section>
      )}
    </section>
  );
}

interface PageHeadProps extends ToolPageProps {
  at: number;
  onGo: (by: number) => void;
}

function PageHead({ entry, listing, view, change, at, onGo }: PageHeadProps) {
  const n = listing.hits.length;
  return (
    <header className="page-head">
      <Button kind="quiet" small icon="left" className="back" onClick={() => change({ tool: "" })}>
        {words.back}
      </Button>
      <h2 className="cut">
        <ToolLabel name={entry.served} original={entry.original} />
      </h2>
      <CopyButton label={words.copyName} text={entry.served} />
      <span className="grow" />
      {at >= 0 && <span className="faint small num wide2">{words.position(count(at + 1), count(n))}</span>}
      <span className="row steps">
        <IconButton
          small
          icon="arrowUp"
          label={words.previous}
          keys={<Kbd keys="K" />}
          disabled={at <= 0}
          onClick={() => onGo(-1)}
        />
        <IconButton
          small
          icon="arrowDown"
          label={words.next}
          keys={<Kbd keys="J" />}
          disabled={at < 0 || at >= n - 1}
          onClick={() => onGo(1)}
        />
      </span>
      <Tip text={words.view} keys={<Kbd keys="R" />}>
        <fieldset className="seg" aria-label={words.view}>
          <button type="button" aria-pressed={!view.json} onClick={() => change({ json: false })}>
            {words.arguments}
          </button>
          <button type="button" aria-pressed={view.json} onClick={() => change({ json: true })}>
            {words.json}
          </button>
        </fieldset>
      </Tip>
    </header>
  );
}
