import { LeftOutTools } from '../adapters/models/tools/left-out-tools.ts';
import type { ReadinessCheck } from '../channels/ops/readiness.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import { meteredName } from '../core/tools/tool-name.ts';
import type { ComposedTools } from './compose-tools.ts';

interface Services {
  readonly log: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'toolLeftOut'>;
}

/** The tools that the providers of models refuse. Each is told once: in the log, with where it comes from, and in the metrics. */
export function leftOutTools(tools: Pick<ComposedTools, 'toolbox'>, { log, metrics }: Services): LeftOutTools {
  return new LeftOutTools((model, tool) => {
    const from = tools.toolbox.current.withOwn.find(tool)?.owner;
    const words = 'the provider of the model refuses a tool: it is left out, and the others go on';
    log.warn({ model, tool, ...(from === undefined ? {} : { from }) }, words);
    metrics.toolLeftOut({ model, action: meteredName(tool) });
  });
}

/** For `/readyz`: the tools of the server that a model goes without (contract/operations.md#probes). */
export function readinessOfTools({
  tools,
  leftOut,
}: {
  readonly tools: Pick<ComposedTools, 'toolbox'>;
  readonly leftOut: LeftOutTools;
}): readonly ReadinessCheck[] {
  return leftOut
    .among(tools.toolbox.current.withOwn.declarations)
    .map((tool) => ({ name: `tool:${tool}`, state: 'degraded' }));
}
