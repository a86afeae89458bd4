import { widgetChannel } from '../../channels/widget/widget-channel.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { type ClientSettings, languageTags } from '../../wire/client-settings.ts';
import { tourSettings, voiceSettings } from '../client-options.ts';
import { demoProject } from '../demo-project.ts';
import { widgetImages } from '../widget-images.ts';
import { widgetSuggestions } from '../widget-suggestions.ts';
import type { MountChannel } from './mount-channel.ts';

/** The widget, which speaks to the hub, the embed page and the demo page (wire.md 9). */
export const mountWidget: MountChannel = (http, { settings, prepared, assetsDirectory, admission, log }) => {
  if (!settings.server.channels.includes('hub')) return;
  void http.register(widgetChannel, {
    basePath: settings.server.basePath,
    assetsDirectory,
    client: {
      ...clientSettings(settings, http.prefix, prepared.model.isDemo),
      ...widgetImages(settings),
      ...widgetSuggestions(settings, prepared.tools.toolbox.current),
    },
    frameAncestors: settings.endpoints.embed.frameAncestors,
    demoPage: settings.demoPage
      ? {
          appName: settings.appName,
          languageTag: languageTags[settings.language],
          demo: demoProject({ settings, plugins: prepared.plugins, tools: prepared.tools, log }),
          guard: admission.guard,
        }
      : null,
  });
};

function clientSettings(
  settings: HelperSettings,
  prefix: string,
  demo: boolean,
): Omit<ClientSettings, 'panel' | 'texts'> {
  const { hubPath } = settings.server;
  // As browsers ask for it: the server may be mounted inside another.
  const basePath = `${prefix}${settings.server.basePath}`;
  return {
    hubPath: `${basePath}${hubPath}`,
    controlPath: `${basePath}/helper`,
    language: settings.isLanguageChosen ? settings.language : null,
    botName: settings.botName,
    theme: settings.theme,
    position: settings.position,
    primaryColor: settings.primaryColor,
    avatarUrl: settings.avatarUrl,
    inputPlaceholder: settings.inputPlaceholder,
    demo,
    aiDisclosure: settings.aiDisclosure,
    imageHosts: settings.cards.imageHosts,
    ...tourSettings(settings, basePath),
    ...voiceSettings(settings),
    ...(settings.client.webMcp ? { webMcp: true } : {}),
  };
}
