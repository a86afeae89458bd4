import type { JSX } from 'preact';
import type { ActionStatus, Entry } from '../../conversation/conversation-state.ts';
import { fill } from '../../texts/widget-texts.ts';
import { Icon, type IconName } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';
import { titleIn } from '../worded.ts';

interface ActionLineProps {
  readonly context: PanelContext;
  readonly entry: Extract<Entry, { kind: 'action' }>;
}

/** The icon before the line of an action, by how the action ended. */
export const actionIcons = {
  succeeded: 'check',
  failed: 'warning',
  unknown: 'warning',
  declined: 'cross',
  refused: 'cross',
  cancelled: 'cross',
} as const satisfies Record<ActionStatus, IconName>;

/** The feedback line of an action while it runs and after it has ended (contract/widget.md#looks). */
export function ActionLine({ context, entry }: ActionLineProps): JSX.Element {
  const { status, progress, reason } = entry;
  return (
    <div class={`action-line is-${status}`}>
      {status === 'running' ? <span class="spinner" aria-hidden="true" /> : <Icon name={actionIcons[status]} />}
      <span dir="auto">
        {fill(context.texts.action[status], { action: titleIn(entry, context.texts) })}
        {status === 'running' && progress !== '' && <span class="progress">{progress}</span>}
        {reason !== '' && <span class="progress">{reason}</span>}
      </span>
    </div>
  );
}
