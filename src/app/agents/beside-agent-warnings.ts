import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import { besideAgentCode } from '../../config/beside-agent.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { ComposedTools } from '../compose-tools.ts';

interface Parts {
  readonly plugins: readonly LoadedPlugin[];
  readonly tools: Pick<ComposedTools, 'toolbox'>;
}

/** The most names that a warning lists. */
const mostNames = 5;

/** Warns of what plugins and callbacks offer, and an agent in place of `chatClient` leaves unused. The settings warn for themselves. */
export function besideAgentWarnings(
  { agent }: Pick<HelperSettings, 'agent'>,
  { plugins, tools }: Parts,
): readonly { readonly code: string; readonly message: string }[] {
  if (agent === null) return [];
  const warning = (what: string, names: readonly string[], because: string): { code: string; message: string }[] => {
    if (names.length === 0) return [];
    const listed = [...names.slice(0, mostNames), ...(names.length > mostNames ? ['…'] : [])].join(', ');
    return [{ code: besideAgentCode, message: `${what} ${listed}: no effect beside agent: ${because}` }];
  };
  const ofPlugins = (has: (plugin: LoadedPlugin) => boolean): readonly string[] =>
    plugins.filter(has).map(({ name }) => name);
  const { tools: offered, pages } = tools.toolbox.current;
  return [
    ...warning(
      'specialists and teams of the plugins',
      ofPlugins(({ agents = [] }) => agents.length > 0),
      'handing over to other agents needs chatClient.',
    ),
    ...warning(
      'configureChatClientPipeline of the plugins',
      ofPlugins(({ hooks }) => hooks.configureChatClientPipeline !== undefined),
      'it is a layer around chatClient.',
    ),
    ...warning(
      'chatReducer of the plugins',
      ofPlugins(({ reducer }) => reducer !== undefined),
      'it is for the history of chatClient alone.',
    ),
    ...warning(
      'useStrongModel of the plugins',
      ofPlugins(({ hooks }) => hooks.useStrongModel !== undefined || hooks.useStrongModelAsync !== undefined),
      'the agent answers every message.',
    ),
    ...(agent.a2a === undefined
      ? []
      : [
          ...warning(
            'the actions and tools',
            offered.filter(({ source }) => source !== 'built-in').map(({ name }) => name),
            'an agent on another server is offered none.',
          ),
          ...warning(
            'the pages',
            pages.map(({ name }) => name),
            'an agent on another server sends nobody to a page; the tour shows them all the same.',
          ),
        ]),
  ];
}
