import { useMemo } from "react";
import type { event } from "../../backend/types";
import { clock, count, plural, tokens } from "../../lib/format";
import * as actions from "../../state/actions";
import { deliveredCount, needsLook } from "../../state/select";
import { wholeSummary } from "../../state/servers";
import { useKandev, useKandevState } from "../../state/use";
import { HoverCard } from "../../ui/hover-card";
import { Icon } from "../../ui/icon";
import { Kbd } from "../../ui/kbd";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { serverStatus } from "../../ui/status";
import { words } from "../../words";

/** The plug in the top bar: how many servers were delivered, never coloured; a dot when one needs a look. */
export function Plug({ session }: { session: string }) {
  const { store } = useKandev();
  const told = useKandevState((state) => state.attachments[session]);
  const pulled = useKandevState((state) => state.loadedAttachments[session]);
  const attachment = useMemo(() => told && wholeSummary(told, pulled), [told, pulled]);
  const open = useKandevState((state) => state.explorer);
  const delivered = deliveredCount(attachment);
  const look = needsLook(attachment);
  const label = words.plug.label(count(delivered)) + (look ? `, ${words.plug.look}` : "");
  const trigger = (
    <button
      type="button"
      id="plug"
      className="btn btn-quiet plug"
      aria-label={label}
      aria-expanded={open}
      aria-haspopup="dialog"
      onClick={() => actions.setExplorer(store, !open)}
    >
      <Icon name="plug" />
      <span className="num">{delivered}</span>
      {look && <span className="plug-dot" />}
    </button>
  );
  return (
    <HoverCard trigger={trigger} className="hover-card" off={open}>
      {attachment && attachment.servers.length > 0 ? (
        attachment.servers.map((server) => (
          <ServerLine key={server.name} server={server} live={attachment.live} />
        ))
      ) : (
        <p className="hc hc-note">{words.plug.none}</p>
      )}
      {attachment && <CardFoot attachment={attachment} />}
    </HoverCard>
  );
}

function ServerLine({ server, live }: { server: event.Server; live: boolean }) {
  const status = serverStatus(server.status, live);
  return (
    <div className="hc">
      <StatusShape shape={status.shape} tone={status.tone} />
      <div>
        <div className="row">
          <span className="mono cut">
            <SafeText text={server.name} />
          </span>
          <span className="hc-word">{status.word}</span>
        </div>
        <div className="hc-note cut">
          <SafeText text={serverNote(server)} />
        </div>
      </div>
    </div>
  );
}

function serverNote(server: event.Server): string {
  if (server.summary) return server.summary;
  if (server.source !== "builtin") return words.plug.person;
  if (server.tool_count === undefined) return words.plug.notListed;
  if (server.tool_count === 0) return words.plug.noTools;
  const parts = [plural(server.tool_count, "tool"), tokens(server.tokens_total)];
  if (server.times.used) parts.push(words.plug.used(clock(server.times.used)));
  return parts.join(", ");
}

function CardFoot({ attachment }: { attachment: event.Attachment }) {
  const last =
    attachment.ended_at ??
    Math.max(0, ...attachment.servers.map((s) => s.times.observed ?? s.times.listed ?? 0));
  return (
    <div className="hc-foot">
      <span className="faint">
        {attachment.live
          ? words.plug.observed(words.plug.attempt(attachment.number), clock(attachment.started_at))
          : words.plug.past(clock(last || undefined))}
      </span>
      <span className="end">
        <Kbd keys="Mod+Shift+M" />
      </span>
    </div>
  );
}
