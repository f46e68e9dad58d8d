import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon";
import { type Shape, StatusShape, type Tone } from "./shape";

export interface EmptyStateProps {
  icon?: IconName;
  shape?: { shape: Shape; tone: Tone };
  /** One sentence. */
  title: ReactNode;
  /** One grey sentence. */
  children?: ReactNode;
  /** At most two buttons. */
  actions?: ReactNode;
}

/** What stands where the first row would be: empty, failed, nothing matches. */
export function EmptyState({ icon, shape, title, children, actions }: EmptyStateProps) {
  return (
    <div className="note">
      {icon && <Icon name={icon} />}
      {shape && <StatusShape {...shape} />}
      <div>
        <h3>{title}</h3>
        {children && <p>{children}</p>}
        {actions && <div className="row">{actions}</div>}
      </div>
    </div>
  );
}
