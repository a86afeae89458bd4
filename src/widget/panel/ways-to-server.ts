import type { ConversationOptions } from '../conversation/conversation-options.ts';
import { createControlRequests } from '../transport/control-requests.ts';
import { SignalRLink } from '../transport/hub-link.ts';
import type { PageToken } from '../transport/page-token.ts';
import { createSessionRequests } from '../transport/session-requests.ts';
import type { FallbackTransports } from '../transport/signalr/hub-options.ts';
import type { FallbackModule, PanelHost } from '../widget-contract.ts';
import type { Chunks } from './chunks.ts';

/** File name of this build's chunk with the transports that are seldom needed (scripts/build-widget.ts). */
declare const FALLBACK_CHUNK: string;

/** Makes the hub and the other requests to the script's server. They are sent as the user of the token. */
export function waysToServer(
  host: PanelHost,
  chunks: Chunks,
  token: PageToken,
): Pick<ConversationOptions, 'connect' | 'control' | 'sessions'> {
  const { hubPath, controlPath } = host.settings;
  const resolve = (path: string): string => new URL(path, host.scriptUrl).href;
  const loadFallback = async (): Promise<FallbackTransports> => {
    const { transports } = await chunks.load<FallbackModule>(FALLBACK_CHUNK);
    return transports;
  };
  const link = { url: resolve(hubPath), token, loadFallback };
  return {
    connect: (listener) => new SignalRLink(link, listener),
    control: createControlRequests(resolve(`${controlPath}/approve`), resolve(`${controlPath}/cancel`), token),
    sessions: createSessionRequests(resolve(`${controlPath}/session`), token),
  };
}
