import * as actions from "../../state/actions";
import { holdsWork } from "../../state/select";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { words } from "../../words";

/** Across the work while the folder of the project is not there. */
export function MissingProject() {
  const { store, backend } = useKandev();
  const project = useKandevState((state) => state.projects[state.project]);
  const asks = useKandevState((state) => holdsWork(state, state.project));
  if (!project?.missing) return null;
  return (
    <div className="notice" role="status">
      <StatusShape shape="failed" tone="bad" />
      <span className="grow">
        <b className="medium">
          <SafeText text={words.project.missing(project.name)} />.
        </b>{" "}
        <SafeText text={words.project.missingHint(project.path)} />
      </span>
      <Button small onClick={() => actions.openDialog(store, "add-project", project.id)}>
        {words.project.chooseAgain}
      </Button>
      <Button small kind="quiet" onClick={() => actions.removeProject(store, backend, project.id)}>
        {asks ? words.project.removeMore : words.project.removeShort}
      </Button>
    </div>
  );
}
