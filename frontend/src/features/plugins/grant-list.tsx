import type * as t from "../../backend/types";
import { Icon, type IconName } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { hostWord, memoryWord, timeWord } from "./state-of";
import { words } from "./words";

export interface GrantListProps {
  requested: t.PluginPermissions;
  /** What is beyond an earlier grant is marked as new; without one nothing is. */
  asks?: t.PluginAsks;
  /** false: hosts and network are the person's to name. */
  hosts: boolean;
}

/** Every permission of a request in a line of its own. */
export function GrantList({ requested, asks, hosts }: GrantListProps) {
  const w = words.enabling;
  return (
    <ul className="pl-grants">
      {hosts && requested.hosts.length === 0 && <Line icon="globe" label={w.noHost} />}
      {hosts &&
        requested.hosts.map((host) => (
          <Line
            key={host}
            mono={host !== "*"}
            icon="globe"
            label={hostWord(host)}
            note={host === "*" ? w.anyNote : w.hostNote}
            fresh={asks?.hosts.includes(host)}
          />
        ))}
      {hosts && requested.private_network && (
        <Line
          icon="lock"
          label={words.permissions.network}
          note={w.networkNote}
          fresh={asks?.private_network}
        />
      )}
      <Line
        icon="cube"
        label={`${words.permissions.memory}: ${memoryWord(requested.memory_mb)}`}
        note={w.memoryNote}
        fresh={(asks?.memory_mb ?? 0) > 0}
      />
      <Line
        icon="clock"
        label={`${words.permissions.time}: ${timeWord(requested.timeout_ms)}`}
        note={w.timeNote}
        fresh={(asks?.timeout_ms ?? 0) > 0}
      />
    </ul>
  );
}

interface LineProps {
  icon: IconName;
  label: string;
  note?: string;
  mono?: boolean;
  fresh?: boolean;
}

function Line({ icon, label, note, mono, fresh }: LineProps) {
  return (
    <li className="row">
      <Icon name={icon} />
      <span className={mono ? "mono wrap" : "wrap"}>
        <SafeText text={label} />
      </span>
      {fresh && <span className="tag pl-new">{words.enabling.new}</span>}
      {note && <span className="faint small">{note}</span>}
    </li>
  );
}
