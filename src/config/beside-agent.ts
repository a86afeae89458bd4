import { isDeepStrictEqual } from 'node:util';
import type { HelperSettings } from './settings.ts';
import type { ConfigurationWarning } from './warnings.ts';
import { defaultSettings } from './without-effect.ts';

/** Documented in `docs/reference/warnings.md`. */
export const besideAgentCode = 'HLP1170';

/** Settings that an agent in place of `chatClient` leaves without effect. */
interface IdleSettings {
  readonly keys: readonly (keyof HelperSettings)[];
  /** Whether they have no effect with these settings, in which `agent` is set. Left out: always. */
  readonly isIdle?: (settings: HelperSettings) => boolean;
  /** The values of settings that are off. Left out: their defaults. */
  readonly off?: (settings: HelperSettings) => Partial<HelperSettings>;
  /** Ends the sentence of the warning. */
  readonly because: string;
}

const hasNoSmallModel = ({ classifierChatClient }: HelperSettings): boolean => classifierChatClient === undefined;
const isRemote = ({ agent }: HelperSettings): boolean => agent?.a2a !== undefined;

const idleSettings: readonly IdleSettings[] = [
  {
    keys: [
      ...(['strongChatClient', 'routingStrategy', 'useStrongModel'] as const),
      ...(['routingComplexExemplars', 'routingThreshold', 'routingClassifierClient'] as const),
    ],
    because: 'the agent answers every message.',
  },
  {
    keys: ['declarative', 'remoteAgents'],
    isIdle: ({ declarative: { directory, definitions }, remoteAgents }) =>
      directory !== null || definitions.length > 0 || remoteAgents.length > 0,
    off: ({ declarative }) => ({ declarative: { ...declarative, directory: null, definitions: [] }, remoteAgents: [] }),
    because: 'handing over to other agents needs chatClient.',
  },
  {
    keys: [
      ...(['hostedTools', 'hostedToolOptions', 'hostedMcpServers'] as const),
      ...(['hostedToolDomainScope', 'showHostedToolsStatus'] as const),
    ],
    because: 'they are tools of the provider of chatClient.',
  },
  {
    keys: ['enableToolFiltering', 'toolFilterMaxTools', 'toolFilterMinScore', 'toolShare'],
    because: 'tools are chosen for chatClient alone.',
  },
  {
    keys: ['enableCompaction', 'compactionTokenThreshold', 'compactionMaxTurns', 'compactionSummary'],
    because: 'the agent decides how much of a conversation it reads.',
  },
  { keys: ['useServiceManagedHistory'], because: 'it is the provider of chatClient that keeps conversations so.' },
  {
    keys: ['enableSafetyCheck', 'enableOutputSafetyCheck'],
    isIdle: hasNoSmallModel,
    because: 'nothing is checked. Set classifierChatClient, which is asked, or inputGuardrail and outputGuardrail.',
  },
  {
    keys: ['refuseOutOfScope'],
    isIdle: hasNoSmallModel,
    because: 'every message is answered. Set classifierChatClient, which is asked.',
  },
  {
    keys: ['requireLookupForRecordQuestions', 'requireActionForChangeRequests', 'enableA2AGroundingCheck'],
    isIdle: (settings) => hasNoSmallModel(settings) && !isRemote(settings),
    because: 'no model is there to judge replies. Set classifierChatClient, which is asked.',
  },
  {
    keys: ['requireLookupForRecordQuestions', 'requireActionForChangeRequests', 'enableA2AGroundingCheck'],
    isIdle: isRemote,
    because: 'what an agent on another server looks up and changes is not known here.',
  },
  {
    keys: ['memoryAutoCapture'],
    isIdle: (settings) => hasNoSmallModel(settings) && settings.useMemoryContext,
    off: () => ({ memoryAutoCapture: false }),
    because: 'nothing new is remembered about users. Set classifierChatClient, which is asked.',
  },
  {
    keys: ['enableSkills'],
    isIdle: isRemote,
    because: 'an agent on another server is offered no tools, by which skills are loaded.',
  },
];

/**
 * The settings with everything off that needs `chatClient`, where an agent answers in its place, and a warning for each of these options
 * (contract/agents.md#an-agent-that-answers). The same settings where none answers.
 */
export function besideAgent(settings: HelperSettings): HelperSettings {
  if (settings.agent === null) return settings;
  const defaults = defaultSettings(settings);
  const warnings: ConfigurationWarning[] = [];
  let made = settings;
  for (const idle of idleSettings) {
    if (idle.isIdle?.(settings) === false) continue;
    const off: Partial<HelperSettings> =
      idle.off?.(settings) ?? Object.fromEntries(idle.keys.map((key) => [key, defaults[key]]));
    const set = idle.keys.filter((key) => !isDeepStrictEqual(settings[key], off[key]));
    if (set.length === 0) continue;
    const message = `${set.join(', ')} ${set.length === 1 ? 'has' : 'have'} no effect beside agent: ${idle.because}`;
    warnings.push({ code: besideAgentCode, message });
    made = { ...made, ...off };
  }
  return Object.freeze({ ...made, fileWarnings: [...settings.fileWarnings, ...warnings] });
}
