import type { HelperSettings } from '../config/settings.ts';
import { knownProvider } from '../core/base/known-providers.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import { modelsWithApi } from './open-models.ts';

/** One entry of `models` as operations people see it: what it speaks, and with whom. */
export interface ModelReport {
  /** The name of the entry. */
  readonly name: string;
  readonly kind: 'chat' | 'embeddings';
  /** `plugin` for a model of a plugin. */
  readonly provider: string;
  /** The model as it is asked for; null where its package or plugin decides. */
  readonly model: string | null;
  /** What is spoken, for people: `chat completions`, `Anthropic Messages`. */
  readonly speaks: string;
  /** The address that is called, without a query; null where a package knows it, or nothing is called. */
  readonly at: string | null;
  /** The package or the plugin through which it is spoken to; null where the server does that itself. */
  readonly over: string | null;
}

type Entry = HelperSettings['models'][string];
type Spoken = Pick<ModelReport, 'speaks' | 'at' | 'over'>;

/** What each entry of `models` speaks. Nothing is called for the report. */
export function reportModels(settings: HelperSettings): readonly ModelReport[] {
  return Object.entries(modelsWithApi(settings)).map(([name, entry]) => ({
    name,
    kind: entry.kind,
    provider: entry.plugin === undefined ? (entry.provider ?? '') : 'plugin',
    model: entry.provider === 'azure' ? (entry.deployment ?? null) : (entry.model ?? null),
    ...spokenBy(entry),
  }));
}

function spokenBy(entry: Entry): Spoken {
  const { kind, provider = '', plugin, api, baseUrl } = entry;
  const ofKind = kind === 'embeddings' ? 'embeddings' : 'chat completions';
  if (plugin !== undefined) return { speaks: 'a model of a plugin', at: null, over: plugin };
  if (provider === 'demo') return { speaks: 'a demo without a model', at: null, over: null };
  if (provider === 'openai' || provider === 'azure') {
    const base = provider === 'openai' ? (baseUrl ?? 'https://api.openai.com/v1') : azureAddress(entry);
    return api === 'responses' && kind === 'chat'
      ? { speaks: 'Responses', at: shown(base), over: '@langchain/openai' }
      : { speaks: ofKind, at: shown(base), over: null };
  }
  const known = knownProvider(provider);
  const isWire = kind === 'embeddings' ? known?.hasEmbeddings === true : known?.baseUrl !== undefined;
  const address = baseUrl ?? known?.baseUrl;
  const at = address === undefined ? null : shown(address);
  if (isWire) return { speaks: ofKind, at, over: null };
  return { speaks: known?.package?.speaks ?? entry.class ?? ofKind, at, over: known?.package?.name ?? provider };
}

function azureAddress({ endpoint = '', deployment = '', api }: Entry): string {
  const base = endpoint.replace(/\/$/, '');
  return api === 'responses' ? `${base}/openai/v1` : `${base}/openai/deployments/${deployment}`;
}

/** An address without what may be secret in it. */
function shown(address: string): string {
  return withoutQueries(address).replace(/\/$/, '');
}
