import { fileURLToPath } from 'node:url';
import { fullWith, type LaunchPlace, type Target } from './targets.ts';

/**
 * What keeps a turn safe and within its budget, all at once. Origins, receipts and `loopGuard` are on in every server. Checks are hooks
 * that answer at once: the calls of a classifier cost what its model costs.
 */
function guards({ upstreamPort, model }: LaunchPlace, plugins: readonly string[]): Readonly<Record<string, unknown>> {
  const baseUrl = `http://127.0.0.1:${String(upstreamPort)}/v1`;
  return {
    actions: { plugins: ['plugins', ...plugins].map(folderOf) },
    safetyCheckFailure: 'Block',
    budgets: [{ per: 'day', tokens: 1_000_000_000_000, then: 'refuse' }],
    links: { hosts: ['shop.example'] },
    cards: { imageHosts: ['shop.example'] },
    enableToolFiltering: true,
    models: { strong: { provider: 'openai', baseUrl, model, apiKey: 'none' } },
    strongChatClient: 'strong',
    useStrongModel: { pattern: 'compare|explain why' },
  };
}

function folderOf(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
}

/** `full` with everything that guards a turn and lets its reply stream. */
export const guarded: Target = {
  ...fullWith('guarded', (place) => guards(place, ['guard-plugins'])),
  description: 'this server, full features, SSE, messages checked, budgets, tools chosen, a strong model, listed hosts',
};

/** `guarded` with a check of replies. It is not measured with paced tokens, because a held reply has no pace. */
export const held: Target = {
  ...fullWith('held', (place) => guards(place, ['guard-plugins', 'held-plugins'])),
  description: 'the same, replies held until they are checked',
  workloads: ['burst', 'turn'],
};
