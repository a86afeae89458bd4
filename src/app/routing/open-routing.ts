import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import { historyMessage } from '../../adapters/plugin-directory/history-message.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { Classifier } from '../../core/classifier/classifier.ts';
import type { Embedder } from '../../core/ports/embedder.ts';
import type { Payer } from '../../core/ports/spender.ts';
import { classifierRouter } from '../../core/routing/classifier-router.ts';
import { hardMessages } from '../../core/routing/hard-messages.ts';
import { replyJudge } from '../../core/routing/reply-judge.ts';
import type { ReplyJudge, Router, Routing } from '../../core/routing/routing.ts';
import { semanticRouter } from '../../core/routing/semantic-router.ts';
import type { OpenModels } from '../reload/live-model.ts';

/** The hooks of plugins that choose messages for the strong model. */
type RoutingHooks = readonly Pick<LoadedPlugin['hooks'], 'useStrongModel' | 'useStrongModelAsync'>[];

/** The parts that routing is built from. */
interface RoutingParts {
  readonly models: OpenModels;
  readonly hooks: RoutingHooks;
  readonly embedders: { get(name: string): Embedder } | undefined;
  readonly payer: (() => Payer | undefined) | undefined;
}

/** Documented in `docs/reference/warnings.md`. */
const missingCode = 'HLP1095';

/**
 * The rule of which messages the strong model answers. Undefined when a part is missing; `chatClient` then answers all messages
 * (contract/models.md#routing).
 */
export function routingOf(settings: HelperSettings, parts: RoutingParts): Routing | undefined {
  const { strong } = parts.models;
  if (strong === undefined || missingPart(settings, parts) !== undefined) return undefined;
  return { strong, router: routerOf(settings, parts), judge: judgeOf(settings, parts) };
}

/** The warnings about routing (docs/reference/warnings.md). */
export function routingWarnings(
  settings: HelperSettings,
  parts: Pick<RoutingParts, 'models' | 'hooks'>,
): readonly { readonly code: string; readonly message: string }[] {
  const { strongChatClient, routingStrategy } = settings;
  if (strongChatClient === undefined) {
    const isAsked = isConfigured(settings) || routingStrategy !== 'Custom';
    const message =
      'strongChatClient is not set, so chatClient answers every message: name the model that answers hard ones.';
    return isAsked ? [{ code: missingCode, message }] : [];
  }
  const missing = missingPart(settings, parts);
  return missing === undefined ? [] : [{ code: missingCode, message: `${missing}; chatClient answers every message.` }];
}

/** Whether the file says anything of how messages for the strong model are told. */
function isConfigured(settings: HelperSettings): boolean {
  const { useStrongModel, routingComplexExemplars, routingThreshold, routingClassifierClient } = settings;
  return (
    useStrongModel !== null ||
    routingComplexExemplars !== null ||
    routingThreshold !== 0.35 ||
    routingClassifierClient !== undefined
  );
}

/** A sentence that names the part that the strategy needs and that is missing; undefined when nothing is missing. */
function missingPart(
  { routingStrategy, useStrongModel, embeddingGenerator }: HelperSettings,
  { models, hooks }: Pick<RoutingParts, 'models' | 'hooks'>,
): string | undefined {
  switch (routingStrategy) {
    case 'Custom':
      return useStrongModel !== null || asking(hooks).length + deciding(hooks).length > 0
        ? undefined
        : 'routingStrategy: Custom needs useStrongModel, or a hook useStrongModel or useStrongModelAsync of a plugin';
    case 'Semantic':
      return embeddingGenerator === undefined ? 'routingStrategy: Semantic needs embeddingGenerator' : undefined;
    case 'Classifier':
    case 'Cascade':
      return models.routing?.isDemo === true
        ? `routingStrategy: ${routingStrategy} needs a model that can tell, and the demo model cannot`
        : undefined;
  }
}

function routerOf(settings: HelperSettings, { models, hooks, embedders, payer }: RoutingParts): Router {
  const { routingStrategy, useStrongModel, embeddingGenerator = '', routingThreshold } = settings;
  switch (routingStrategy) {
    case 'Custom':
      return customRouter(useStrongModel?.pattern, hooks);
    case 'Semantic': {
      if (embedders === undefined) throw new Error('there are no embedding models');
      const exemplars = settings.routingComplexExemplars ?? hardMessages;
      return semanticRouter({ embedder: embedders.get(embeddingGenerator), exemplars, threshold: routingThreshold });
    }
    case 'Classifier':
    case 'Cascade':
      if (models.routing === undefined) throw new Error('there is no model to ask');
      return classifierRouter(new Classifier(models.routing, payer && { payer }));
  }
}

/** The judge of replies that are read whole; undefined with other strategies than `Cascade`. */
function judgeOf({ routingStrategy }: HelperSettings, { models, payer }: RoutingParts): ReplyJudge | undefined {
  if (routingStrategy !== 'Cascade' || models.routing === undefined) return undefined;
  return replyJudge(new Classifier(models.routing, payer && { payer }));
}

/**
 * The hooks `useStrongModelAsync` decide where a plugin has one. Otherwise the pattern and the hooks `useStrongModel` decide. One yes is
 * enough. Without hooks the pattern decides at once.
 */
function customRouter(pattern: string | undefined, hooks: RoutingHooks): Router {
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const matches = (text: string): boolean => expression?.test(text) ?? false;
  const [async, sync] = [asking(hooks), deciding(hooks)];
  if (async.length > 0) {
    return {
      needsStrong: async ({ text, before }, signal) => {
        const messages = [...before, { role: 'user', text } as const].map(historyMessage);
        return anyOf(async.map(async (hook) => hook(messages, signal)));
      },
    };
  }
  const needsStrong: Router['needsStrong'] = async ({ text }) =>
    matches(text) || anyOf(sync.map(async (hook) => hook(text)));
  return sync.length > 0 ? { needsStrong } : { now: matches, needsStrong };
}

function asking(hooks: RoutingHooks): readonly NonNullable<RoutingHooks[number]['useStrongModelAsync']>[] {
  return hooks.flatMap(({ useStrongModelAsync }) => useStrongModelAsync ?? []);
}

function deciding(hooks: RoutingHooks): readonly NonNullable<RoutingHooks[number]['useStrongModel']>[] {
  return hooks.flatMap(({ useStrongModel }) => useStrongModel ?? []);
}

/** Whether one answer is true. Plain JavaScript may return anything, so any answer other than true and false is a fault. */
async function anyOf(answers: readonly Promise<unknown>[]): Promise<boolean> {
  const given = await Promise.all(answers);
  if (given.some((answer) => typeof answer !== 'boolean')) throw new Error('a hook has said neither true nor false');
  return given.includes(true);
}
