import type { WidgetChannelOptions } from '../../src/channels/widget/widget-channel.ts';

/** The settings that the server gives pages by default. */
export const clientSettings: WidgetChannelOptions['client'] = {
  hubPath: '/helper-hub',
  controlPath: '/helper',
  endpoints: ['/helper', '/helper-hub'],
  language: 'English',
  botName: 'Helper AI',
  theme: 'Default',
  position: 'BottomRight',
  demo: true,
  aiDisclosure: true,
  imageHosts: [],
};
