import { usualMostTools } from '../adapters/models/tools/with-fitting-tools.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { TokenEstimates } from '../core/history/token-estimates.ts';
import type { ToolBounds } from '../core/tool-filter/tool-filter.ts';
import type { Toolbox } from '../core/tools/toolbox.ts';
import type { OpenModels } from './reload/live-model.ts';

/** Codes of this file. Documented in `docs/reference/warnings.md`. */
const codes = { many: 'HLP1142', heavy: 'HLP1143' } as const;

/** What the tools weigh that the model is told of when all of them go along with a message. */
export interface ToolWeight {
  readonly count: number;
  /** Estimated. */
  readonly tokens: number;
  readonly bytes: number;
  /** The share of the model's window, from 0. Null where an agent of somebody else answers, whose window nobody knows. */
  readonly share: number | null;
}

type Settings = Pick<HelperSettings, 'enableToolFiltering' | 'toolShare'>;

/** What tools are weighed for and with. */
export interface Weighing {
  readonly models: Pick<OpenModels, 'chat' | 'strong' | 'foreign' | 'chains'>;
  readonly estimates: Pick<TokenEstimates, 'ofTool'>;
}

/** What all tools of a toolbox weigh. */
export function weightOf({ declarations }: Toolbox, { models, estimates }: Weighing): ToolWeight {
  const tokens = declarations.reduce((sum, tool) => sum + estimates.ofTool(tool), 0);
  const bytes = declarations.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(declarations));
  const window = windowOf(models);
  return { count: declarations.length, tokens, bytes, share: window === undefined ? null : tokens / window };
}

/** In words, for people. */
export function weightText({ count, tokens, bytes, share }: ToolWeight): string {
  const ofWindow = share === null ? '' : `, ${String(Math.round(share * 100))} % of the context window`;
  return `${String(count)}, about ${numberText(tokens)} tokens (${numberText(Math.ceil(bytes / 1000))} kB) with each message${ofWindow}`;
}

/**
 * What may be sent with a message before tools are chosen although `enableToolFiltering` is left out (contract/tool-filter.md#by-itself). Undefined
 * where nobody knows what the answering agent takes.
 */
export function boundsOfTools({ toolShare }: Settings, { models, estimates }: Weighing): ToolBounds | undefined {
  const window = windowOf(models);
  if (window === undefined) return undefined;
  return {
    tools: models.chat.isDemo ? Number.POSITIVE_INFINITY : usualMostTools,
    tokens: Math.floor(window * toolShare),
    weigh: (tool) => estimates.ofTool(tool),
  };
}

/** Warns of more tools than most providers take, and of tools that weigh much. Nobody is warned who has the tools chosen. */
export function toolWarnings(
  settings: Settings,
  toolbox: Toolbox,
  weighing: Weighing,
): readonly { readonly code: string; readonly message: string }[] {
  const bounds = boundsOfTools(settings, weighing);
  const { enableToolFiltering: isOn } = settings;
  if (bounds === undefined || isOn === true) return [];
  const { chat } = weighing.models;
  const weight = weightOf(toolbox, weighing);
  const isMany = weight.count > bounds.tools;
  const isHeavy = weight.tokens > bounds.tokens;
  const chosen =
    'So the model is sent those that fit a message: set enableToolFiltering: true if that is meant, or offer fewer';
  const many = `there are ${String(weight.count)} tools, and most providers take ${String(usualMostTools)} with a message.`;
  const heavy = `tools weigh more than toolShare: ${weightText(weight)} of ${chat.model}.`;
  return [
    ...(isMany
      ? [
          {
            code: codes.many,
            message: `${many} ${isOn === false ? 'With enableToolFiltering: false the model is sent no more than its provider takes' : chosen}.`,
          },
        ]
      : []),
    ...(isHeavy
      ? [
          {
            code: codes.heavy,
            message: `${heavy} ${isOn === false ? 'With enableToolFiltering: false every message pays for them, and may be too long' : chosen}.`,
          },
        ]
      : []),
  ];
}

/** The smallest window of the models that answer first. */
function windowOf({ chat, strong, foreign, chains }: Weighing['models']): number | undefined {
  if (foreign !== undefined) return undefined;
  const windows = [chat, strong].flatMap((model) => (model && chains.get(model)?.[0]?.settings.contextWindow) ?? []);
  return windows.length === 0 ? undefined : Math.min(...windows);
}

function numberText(count: number): string {
  return count.toLocaleString('en-US');
}
