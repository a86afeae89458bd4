import type { HelperSettings } from '../config/settings.ts';
import { Classifier } from '../core/classifier/classifier.ts';
import { OpenConfirmations } from '../core/confirmations/open-confirmations.ts';
import { FollowUps } from '../core/conversations/follow-ups.ts';
import { TitleSuggestions } from '../core/conversations/suggest-title.ts';
import type { Honesty } from '../core/guardrails/honest-questions.ts';
import { safetyCheck } from '../core/guardrails/safety-check.ts';
import type { Scope } from '../core/guardrails/scope-check.ts';
import type { CheckedDirection, Guard } from '../core/guardrails/text-check.ts';
import type { HistoryServices } from '../core/history/history-services.ts';
import type { Language } from '../core/language/language.ts';
import { textsByLanguage } from '../core/language/texts.ts';
import { MessageRate } from '../core/limits/message-rate.ts';
import { RefusalLines } from '../core/limits/refusal-lines.ts';
import { agentRules, coordinatorInstructions, type OtherAgents } from '../core/prompt/instructions.ts';
import type { Routing } from '../core/routing/routing.ts';
import type { TapeServices } from '../core/record/tape-services.ts';
import type { TurnServices } from '../core/turn/live/turn-services.ts';
import { toolUser } from '../core/tools/tool-user.ts';
import { agentsOfTurns } from './agents/agents-of-turns.ts';
import type { CurrentAgents } from './agents/current-agents.ts';
import type { ComposedTools } from './compose-tools.ts';
import { hostedUse } from './hosted-use.ts';
import { offersFollowUps } from './offers-follow-ups.ts';
import type { AssistantServices } from './open-assistant.ts';
import { cardRules } from './open-snapshots.ts';
import { routingOf } from './routing/open-routing.ts';
import type { OpenModels } from './reload/live-model.ts';

/** Where there are no agents on other servers. */
const nobody = { of: () => undefined };

/** The parts of a configuration that turns need, beside its settings. */
export interface TurnParts {
  readonly tools: ComposedTools;
  readonly models: OpenModels;
  /** Left out, there are no agents beside the coordinator. */
  readonly agents?: CurrentAgents;
}

/** How often each user may send messages, and may call actions without a turn. */
interface MessageRates {
  readonly max: number;
  readonly windowSecs: number;
  readonly messages: MessageRate;
  readonly direct: MessageRate;
}

/**
 * Makes the services of turns for each configuration. Open questions, the tape and the counts of messages belong to the process and stay
 * when the configuration changes.
 */
export class ServicesOfTurns {
  readonly #services: AssistantServices;
  readonly #openConfirmations: OpenConfirmations;
  readonly #tape: TapeServices;
  readonly #refusalLines: RefusalLines;
  #rate: MessageRates | undefined;

  constructor(settings: HelperSettings, services: AssistantServices) {
    const { stores, sealer, markOf, clock, log, onDelivery } = services;
    this.#services = services;
    this.#openConfirmations = new OpenConfirmations(stores.journal, () => clock.now());
    this.#refusalLines = new RefusalLines(() => clock.elapsed());
    this.#tape = {
      store: stores.turns,
      sealer,
      markOf,
      policy: settings.server.durableTurns ? 'always' : 'question',
      clock,
      log,
      resumeWindowMs: settings.server.resumeWindow,
      ...(onDelivery && { onDelivery }),
    };
  }

  /** Where the configuration names no language, a turn may have one of its own. Its services are made when it first comes. */
  by(settings: HelperSettings, parts: TurnParts): TurnServices {
    const services = this.#inConfigured(settings, parts);
    if (settings.isLanguageChosen) return services;
    const known = new Map([[settings.language, services]]);
    const inLanguage = (language: Language): TurnServices => {
      const spoken = known.get(language) ?? spokenIn(services, { ...settings, language }, parts);
      known.set(language, spoken);
      return spoken;
    };
    return { ...services, inLanguage };
  }

  #inConfigured(settings: HelperSettings, { tools, models, agents }: TurnParts): TurnServices {
    const { budgets } = this.#services;
    budgets?.take(settings, models);
    const classifier = new Classifier(models.classifier, budgets && { payer: budgets.spending });
    const checking = { tools, classifier };
    const honesty = honestyOf(settings, models.classifier.isDemo ? undefined : classifier);
    return {
      configuration: settings.configuration,
      model: models.chat,
      foreign: models.foreign,
      routing: this.#routing(settings, { tools, models }),
      classifier,
      agents: agents && agentsOfTurns(settings, agents, this.#services.remoteAgents ?? nobody),
      instructions: coordinatorInstructions(settings, othersIn(agents)),
      toolbox: () => tools.toolbox.current,
      wakeTools: this.#wakeTools(),
      maxMessageLength: settings.maxMessageLength,
      images: settings,
      files: this.#services.files,
      messageRate: this.#rates(settings).messages,
      directRate: this.#rates(settings).direct,
      refusals: this.#services.refusals,
      maxToolRounds: settings.maxToolRounds,
      maxSessionMessages: settings.maxSessionMessages,
      hitlMode: settings.hitlMode,
      tape: this.#tape,
      tracing: this.#services.tracing,
      guards: { input: guard('input', settings, checking), output: guard('output', settings, checking) },
      scope: scopeOf(settings, classifier),
      honesty,
      history: this.#history(settings, models.classifier.isDemo ? undefined : classifier),
      knowledge: this.#services.knowledge?.by(settings),
      skills: this.#services.skills?.by(settings),
      toolFilter: this.#services.toolFilter?.by(settings, tools, models),
      times: this.#services.times,
      calls: {
        ...this.#calls(settings, tools),
        replacesReplies: honesty?.needsAction === true || honesty?.needsLookup === true,
      },
      hosted: hostedUse(settings, this.#services.killSwitch),
      showHostedSources: settings.showRagSources,
      memory: this.#services.memory?.by(settings, classifier),
      conversations: this.#services.conversations,
      titles: this.#titles(settings, classifier),
      followUps: this.#followUps(settings, models.classifier.isDemo ? undefined : classifier),
      spending: budgets?.spending,
    };
  }

  #wakeTools(): TurnServices['wakeTools'] {
    const { mcpServers } = this.#services;
    return (
      mcpServers &&
      (({ request: { caller, channel }, conversationId }) =>
        mcpServers.wake({ user: toolUser(caller.principal), channel: channel.name, conversationId }))
    );
  }

  #routing(settings: HelperSettings, { tools, models }: TurnParts): Routing | undefined {
    const { budgets, embedders } = this.#services;
    return routingOf(settings, { models, hooks: tools.routingHooks, embedders, payer: budgets?.spending });
  }

  /** Titles of conversations. Only a model that was chosen for small questions is asked for titles. */
  #titles({ classifierChatClient }: HelperSettings, classifier: Classifier): TitleSuggestions | undefined {
    const { conversations: kept, log } = this.#services;
    if (kept === undefined || classifierChatClient === undefined) return undefined;
    return new TitleSuggestions({ classifier, kept, log });
  }

  /** Only a model that was chosen for small questions is asked. `classifier` is undefined with the demo model, which has no suggestions. */
  #followUps(settings: HelperSettings, classifier: Classifier | undefined): FollowUps | undefined {
    if (!offersFollowUps(settings)) return undefined;
    const asked = settings.classifierChatClient === undefined ? undefined : classifier;
    return new FollowUps({ classifier: asked, log: this.#services.log });
  }

  /** `classifier` is undefined with the demo model, which cannot summarise. */
  #history(settings: HelperSettings, classifier: Classifier | undefined): HistoryServices {
    const { estimates, conversations } = this.#services;
    if (settings.useServiceManagedHistory) return { estimates };
    // A provider of histories keeps everything (contract/sessions.md#kept-conversations).
    const reducer = conversations === undefined ? this.#services.reducer : undefined;
    const { enableCompaction, compactionTokenThreshold: threshold, compactionMaxTurns: maxTurns } = settings;
    if (!enableCompaction) return { estimates, reducer };
    const summaries = settings.compactionSummary ? classifier : undefined;
    return { estimates, reducer, compaction: { threshold, maxTurns }, summaries };
  }

  /** What was counted stays counted while the limit is the same. */
  #rates({ rateLimitPerUser: max, rateLimitWindowSecs: windowSecs }: HelperSettings): MessageRates {
    if (this.#rate?.max === max && this.#rate.windowSecs === windowSecs) return this.#rate;
    const { clock, metrics, bus } = this.#services;
    const rate = (what: string): MessageRate => {
      // Replicas with another limit, as during a reload, count by themselves.
      const shared = bus && { bus, name: `${what} ${String(max)} in ${String(windowSecs)}` };
      return new MessageRate({ max, windowSecs, now: () => clock.elapsed(), metrics, shared });
    };
    this.#rate = { max, windowSecs, messages: rate('messages'), direct: rate('calls') };
    return this.#rate;
  }

  #calls(settings: HelperSettings, tools: ComposedTools): TurnServices['calls'] {
    const { log, metrics, recentSecurity, stores, clock, bus } = this.#services;
    return {
      journal: stores.journal,
      openConfirmations: this.#openConfirmations,
      metrics,
      log,
      recentSecurity,
      refusalLines: this.#refusalLines,
      clock,
      replica: bus?.replica,
      questionNames: bus,
      confirmationTimeoutMs: settings.confirmationTimeout,
      loopGuard: settings.loopGuard,
      autoApproval: tools.autoApproval,
      policy: tools.policy,
      ...spokenCalls(settings, tools),
      enableActionFeedback: settings.enableActionFeedback,
      enforcesProvenance: settings.provenance.enforce,
      ...cardRules(settings),
      transformResult: tools.transformResult,
    };
  }
}

/** Whom the coordinator can hand over to. An agent on another server is a specialist for it. */
function othersIn(agents: CurrentAgents | undefined): OtherAgents {
  const kinds = agents?.definitions.map(({ kind }) => kind) ?? [];
  return { hasSpecialists: kinds.some((kind) => kind !== 'team'), hasTeams: kinds.includes('team') };
}

/** What depends on the language alone: what the model is told to answer in, and what the server itself says. */
function spokenIn(services: TurnServices, settings: HelperSettings, { tools, agents }: TurnParts): TurnServices {
  return {
    ...services,
    instructions: coordinatorInstructions(settings, othersIn(agents)),
    agents: services.agents && { ...services.agents, rules: agentRules(settings) },
    calls: { ...services.calls, ...spokenCalls(settings, tools) },
  };
}

function spokenCalls(
  { language }: Pick<HelperSettings, 'language'>,
  tools: ComposedTools,
): Pick<TurnServices['calls'], 'texts' | 'exceptionTexts'> {
  const texts = textsByLanguage[language];
  return {
    texts,
    exceptionTexts: (error, toolName) => tools.exceptionTexts(error, toolName, texts.actionFailed),
  };
}

/**
 * Checks whether a reply claims an action or a lookup that did not happen (contract/guardrails.md#true-replies). `classifier` is undefined
 * with the demo model, which cannot judge. Changes are checked only where actions ask before they run.
 */
function honestyOf(
  { requireConfirmation, safetyCheckTimeout: timeoutMs, ...settings }: HelperSettings,
  classifier: Classifier | undefined,
): Honesty | undefined {
  const needsAction = settings.requireActionForChangeRequests && requireConfirmation;
  const needsLookup = settings.requireLookupForRecordQuestions;
  const needsGrounding = settings.enableA2AGroundingCheck && settings.a2aServerEnabled;
  if (classifier === undefined || !(needsAction || needsLookup || needsGrounding)) return undefined;
  return { classifier, timeoutMs, needsAction, needsLookup, needsGrounding };
}

/** The guard of messages or replies. Checks of host applications replace the check that comes with the server (contract/guardrails.md). */
function guard(
  direction: CheckedDirection,
  settings: HelperSettings,
  { tools, classifier }: { readonly tools: ComposedTools; readonly classifier: Classifier },
): () => Guard | undefined {
  const { appName, appDescription, safetyCheckTimeout, safetyCheckFailure } = settings;
  const isOn = direction === 'input' ? settings.enableSafetyCheck : settings.enableOutputSafetyCheck;
  const asked = { appName, appDescription, timeoutMs: safetyCheckTimeout };
  const builtIn = isOn ? [safetyCheck(direction, classifier, asked)] : [];
  return () => {
    const own = tools.checks(direction);
    const checks = own.length > 0 ? own : builtIn;
    return checks.length === 0 ? undefined : { checks, timeoutMs: safetyCheckTimeout, onFailure: safetyCheckFailure };
  };
}

function scopeOf(
  { refuseOutOfScope, appName, appDescription, safetyCheckTimeout }: HelperSettings,
  classifier: Classifier,
): Scope | undefined {
  if (!refuseOutOfScope) return undefined;
  return { classifier, appName, appDescription, timeoutMs: safetyCheckTimeout };
}
