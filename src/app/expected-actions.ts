import type { Metrics } from '../core/ports/metrics.ts';
import { meteredName, uiActionPrefix } from '../core/tools/tool-name.ts';
import type { ComposedTools } from './compose-tools.ts';

/** Shows every known action in the metrics before its first call, and the actions of pages under their one name. */
export function expectActions({ toolbox }: Pick<ComposedTools, 'toolbox'>, metrics: Pick<Metrics, 'expect'>): void {
  const names = toolbox.current.tools.map(({ name }) => name);
  for (const action of [...names, meteredName(uiActionPrefix)]) metrics.expect({ kind: 'action', action });
}
