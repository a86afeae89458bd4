import { openApiChannel } from '../../channels/openapi/openapi-channel.ts';
import type { MountChannel } from './mount-channel.ts';

/** The document of every endpoint that is mounted (contract/addresses.md#openapi). */
export const mountOpenApi: MountChannel = (http, { settings, admission, document }) => {
  void http.register(openApiChannel, { basePath: settings.server.basePath, admission, document });
};
