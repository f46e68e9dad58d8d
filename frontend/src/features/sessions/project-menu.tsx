import { useMemo } from "react";
import * as actions from "../../state/actions";
import { holdsWork, projectList } from "../../state/select";
import { useKandev, useKandevState } from "../../state/use";
import { Icon } from "../../ui/icon";
import { Menu, MenuItem, MenuRule } from "../../ui/menu";
import { SafeText } from "../../ui/safetext";
import { words } from "../../words";

/** The project switcher: projects last used first, add one, remove the one whose folder is gone. */
export function ProjectMenu() {
  const { store, backend } = useKandev();
  const projects = useKandevState((state) => state.projects);
  const id = useKandevState((state) => state.project);
  const list = useMemo(() => projectList(projects), [projects]);
  const current = projects[id];
  const asks = useKandevState((state) => holdsWork(state, id));
  const trigger = (
    <button type="button" className="item switcher">
      <Icon name="folder" />
      <span className="cut medium">
        {current ? <SafeText text={current.name} /> : words.rail.noProjectName}
      </span>
      <Icon name="down" />
    </button>
  );
  return (
    <Menu trigger={trigger}>
      {list.map((project) => (
        <MenuItem
          key={project.id}
          icon={project.id === id ? "check" : "folder"}
          current={project.id === id}
          keys={project.missing ? <span className="faint small">{words.project.notFound}</span> : undefined}
          onSelect={() => actions.openProject(store, project.id)}
        >
          <SafeText text={project.name} />
        </MenuItem>
      ))}
      {list.length > 0 && <MenuRule />}
      <MenuItem icon="plus" onSelect={() => actions.openDialog(store, "add-project")}>
        {words.project.add}
      </MenuItem>
      {current?.missing && (
        <MenuItem icon="folder" onSelect={() => actions.openDialog(store, "add-project", id)}>
          {words.project.chooseAgainItem}
        </MenuItem>
      )}
      {current && (
        <MenuItem icon="x" onSelect={() => actions.removeProject(store, backend, id)}>
          {asks ? words.project.remove : words.project.removeEmpty}
        </MenuItem>
      )}
    </Menu>
  );
}
