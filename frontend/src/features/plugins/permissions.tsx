import type * as t from "../../backend/types";
import * as actions from "../../state/actions";
import { useKandev } from "../../state/use";
import { Button } from "../../ui/button";
import { Icon, type IconName } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { type PermissionRow, permissionRows } from "./state-of";
import { words } from "./words";

const icons: Record<PermissionRow["key"], IconName> = {
  hosts: "globe",
  network: "lock",
  memory: "cube",
  time: "clock",
};

/** What a plugin asks for beside what it was granted; what was not granted is marked. */
export function Permissions({ plugin }: { plugin: t.Plugin }) {
  const { store } = useKandev();
  const w = words.permissions;
  return (
    <section>
      <h3 className="cap">
        {w.title}
        <span className="grow" />
        {plugin.bare && plugin.state === "enabled" && (
          <Button small onClick={() => actions.openDialog(store, "enable-plugin", plugin.id)}>
            {w.change}
          </Button>
        )}
      </h3>
      <table className="pl-table">
        <thead>
          <tr>
            <th scope="col">{w.permission}</th>
            <th scope="col">{w.asks}</th>
            <th scope="col">{w.granted}</th>
          </tr>
        </thead>
        <tbody>
          {permissionRows(plugin).map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </tbody>
      </table>
      <p className="faint small">{w.foot}</p>
    </section>
  );
}

function Row({ row }: { row: PermissionRow }) {
  const w = words.permissions;
  const mono = row.key === "hosts" ? "mono" : undefined;
  return (
    <tr>
      <th scope="row">
        <span className="row">
          <Icon name={icons[row.key]} />
          {w[row.key]}
        </span>
      </th>
      <td>
        {row.asks.map((value) => (
          <p key={value} className="wrap">
            {row.granted.length > 0 && row.more.includes(value) && (
              <>
                <span className="tag pl-new">{w.new}</span>{" "}
              </>
            )}
            <span className={value === w.no || value === w.none ? "faint" : mono}>
              <SafeText text={value} />
            </span>
          </p>
        ))}
      </td>
      <td>
        {row.granted.length === 0 && <span className="faint">{w.notGranted}</span>}
        {row.granted.map((value) =>
          value === w.no || value === w.none ? (
            <span key={value} className="faint">
              {value}
            </span>
          ) : (
            <p key={value} className="row wrap">
              <StatusShape shape="done" tone="idle" />
              <span className={mono}>
                <SafeText text={value} />
              </span>
            </p>
          ),
        )}
      </td>
    </tr>
  );
}
