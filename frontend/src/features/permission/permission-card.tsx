import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Permission } from "../../backend/types";
import { clock } from "../../lib/format";
import { inTextField, matches } from "../../lib/keys";
import { agentNameOf } from "../../state/agent-name";
import { useCard, useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Failure } from "../../ui/failure";
import { Kbd } from "../../ui/kbd";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { StatusDot } from "../../ui/status-dot";
import { useWork } from "../../ui/use-work";
import { words } from "../../words";
import { subject } from "./subject";

/** A permission request in the conversation, in every state that it can have. */
export function PermissionCard({ id }: { id: string }) {
  const { retry } = useKandev();
  useCard("permission", id);
  const permission = useKandevState((state) => state.loadedPermissions[id]);
  const state = useKandevState((state) => state.permissions[id]?.state);
  const agent = useKandevState((state) => agentNameOf(state, permission?.session ?? ""));
  const error = useKandevState((state) => state.pullErrors[`permission/${id}`]);
  if (!permission) {
    return (
      <section className="ask" aria-busy={!error}>
        {error ? (
          <EmptyState
            shape={{ shape: "failed", tone: "bad" }}
            title={`${words.permission.failed}.`}
            actions={<Button onClick={() => retry(`permission/${id}`)}>{words.retry}</Button>}
          >
            <SafeText text={error} />
          </EmptyState>
        ) : (
          <p className="ask-head faint">{words.talk.loadingCard}</p>
        )}
      </section>
    );
  }
  const open = permission.state === "open" && (state ?? "open") === "open";
  return open ? (
    <OpenPermission permission={permission} agent={agent} />
  ) : (
    <EndedPermission permission={permission} />
  );
}

function headline(permission: Permission, agent: string): string {
  return words.permission.asks(agent, words.permission.kinds[permission.kind ?? ""] ?? words.permission.use);
}

// No primary button and no option in focus: nothing nudges to allow.
function OpenPermission({ permission, agent }: { permission: Permission; agent: string }) {
  const { backend } = useKandev();
  const off = useKandevState((state) => state.settings.letters_off);
  const { busy, error, run } = useWork();
  const card = useRef<HTMLElement>(null);
  const title = headline(permission, agent);

  useEffect(() => {
    const at = document.activeElement;
    // Never out of a text that is being written, a dialog or another card.
    if (at && at !== document.body && (inTextField(at) || at.closest("[role=dialog], .ask"))) return;
    card.current?.focus({ preventScroll: true });
  }, []);

  const choose = (option: string | undefined) => {
    if (option === undefined) return;
    void run(async () => {
      await backend.permit(permission.id, option);
      document.getElementById("composer")?.focus();
    });
  };
  const key = (event: KeyboardEvent) => {
    if (off || !/^[1-9]$/.test(event.key) || !matches(event, event.key) || inTextField(event.target)) return;
    event.preventDefault();
    choose(permission.options[Number(event.key) - 1]?.id);
  };
  return (
    <section ref={card} className="ask" data-open tabIndex={-1} aria-label={title} onKeyDown={key}>
      <header className="ask-head">
        <StatusShape shape="waiting" tone="warn" />
        <h3>
          <SafeText text={title} />
        </h3>
        <span className="ask-end faint tiny num">{words.question.since(clock(permission.asked_at))}</span>
      </header>
      <Subject permission={permission} />
      <Failure text={error} />
      <footer className="ask-foot">
        {permission.options.map((option, n) => (
          <Button key={option.id} disabled={busy} onClick={() => choose(option.id)}>
            <SafeText text={option.name} />
            {n < 9 && !off && <Kbd keys={String(n + 1)} />}
          </Button>
        ))}
      </footer>
    </section>
  );
}

function Subject({ permission }: { permission: Permission }) {
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre dir="ltr" className="block-text" tabIndex={0}>
        <SafeText text={subject(permission)} lines />
      </pre>
    </div>
  );
}

function EndedPermission({ permission }: { permission: Permission }) {
  const chosen =
    permission.options.find((option) => option.id === permission.chosen)?.name ?? permission.chosen ?? "";
  const selected = permission.state === "selected";
  const word = selected ? words.permission.chosen(chosen) : words.permission.cancelled;
  return (
    <section className="ask is-ended" aria-label={word}>
      <header className="ask-head">
        <StatusDot status={{ shape: selected ? "done" : "stopped", tone: "idle", word }} />
        {permission.by_rule && <span className="tag">{words.permission.byRule}</span>}
        <span className="ask-end faint tiny num">{clock(permission.ended_at)}</span>
      </header>
      <p className="mono soft wrap">
        <SafeText text={permission.title} />
      </p>
      {permission.reason && (
        <p className="soft">
          <SafeText text={permission.reason} lines />
        </p>
      )}
    </section>
  );
}
