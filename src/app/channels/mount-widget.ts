import { type WidgetChannelOptions, widgetChannel } from '../../channels/widget/widget-channel.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { languageTags } from '../../wire/client-settings.ts';
import {
  endpointPaths,
  hostedSettings,
  linkSettings,
  mcpSettings,
  remoteAgentSettings,
  scriptBase,
  sourcesSettings,
  tourSettings,
  voiceSettings,
} from '../client-options.ts';
import { demoProject } from '../demo-project.ts';
import type { PreparedServer } from '../prepare-server.ts';
import { widgetFiles, widgetImages } from '../widget-images.ts';
import { embedOptions, scriptOptions, type WidgetOptions } from '../widget-options.ts';
import { widgetSuggestions } from '../widget-suggestions.ts';
import type { MountChannel } from './mount-channel.ts';

/**
 * The widget, the embed page and the demo page (contract/widget.md#the-script). The widget speaks to the hub, so all three need the hub.
 */
export const mountWidget: MountChannel = (http, { settings, prepared, assetsDirectory, admission, log }) => {
  if (!settings.server.channels.includes('hub')) return;
  // The path that browsers use: the server may be mounted inside another one.
  const basePath = `${http.prefix}${settings.server.basePath}`;
  const { client } = settings;
  const parts = { settings, prepared, prefix: http.prefix };
  void http.register(widgetChannel, {
    basePath: settings.server.basePath,
    assetsDirectory,
    client: {
      ...clientSettings(parts, scriptOptions(settings, prepared.welcome), {
        base: scriptBase(settings, basePath),
        tourUrl: client.tourUrl,
      }),
      ...hostedSettings(settings),
      ...sourcesSettings(client),
      ...remoteAgentSettings(settings, client),
      ...mcpSettings(settings, client),
      // Only the script reads the tools of a page: the embed page has none.
      ...(client.webMcp ? { webMcp: true } : {}),
    },
    // The policy of the embed page lets it speak to this server alone.
    embed: {
      ...clientSettings(parts, embedOptions(settings, prepared.welcome), { base: basePath, tourUrl: '/helper/tour' }),
      ...remoteAgentSettings(settings),
      ...mcpSettings(settings),
    },
    frameAncestors: settings.endpoints.embed.frameAncestors,
    demoPage: settings.demoPage
      ? {
          appName: settings.appName,
          languageTag: languageTags[settings.language],
          demo: demoProject({ settings, plugins: prepared.plugins, tools: prepared.tools, log }),
          admission,
        }
      : null,
  });
};

function clientSettings(
  {
    settings,
    prepared,
    prefix,
  }: { readonly settings: HelperSettings; readonly prepared: PreparedServer; readonly prefix: string },
  options: WidgetOptions,
  { base, tourUrl }: { readonly base: string; readonly tourUrl: string },
): WidgetChannelOptions['client'] {
  const { enableSuggestions } = options;
  const { suggestions } = settings.client;
  return {
    hubPath: `${base}${settings.server.hubPath}`,
    controlPath: `${base}/helper`,
    endpoints: endpointPaths(settings, prepared.plugins, { base, prefix }),
    language: options.language,
    botName: options.botName,
    // A setting that is not set is left out, so it adds no byte to the script.
    welcomeMessage: options.welcomeMessage ?? undefined,
    theme: options.theme,
    position: options.position,
    primaryColor: options.primaryColor ?? undefined,
    avatarUrl: options.avatarUrl ?? undefined,
    inputPlaceholder: options.inputPlaceholder ?? undefined,
    demo: prepared.models.current.isDemo,
    aiDisclosure: settings.aiDisclosure,
    imageHosts: settings.cards.imageHosts,
    ...linkSettings(settings.links.hosts),
    ...tourSettings(options, tourUrl, base),
    ...voiceSettings(options),
    ...(settings.enableFeedback ? { feedback: true } : {}),
    ...(options.enableFollowUps ? { followUps: true } : {}),
    ...widgetImages(options),
    ...widgetFiles(options),
    ...widgetSuggestions({ enableSuggestions, suggestions }, prepared.tools.toolbox.current),
  };
}
