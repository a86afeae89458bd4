import type { ConversationOptions } from '../conversation/conversation-options.ts';
import { createControlRequests } from '../transport/control-requests.ts';
import { SignalRLink } from '../transport/hub-link.ts';
import type { PageToken } from '../transport/page-token.ts';
import { createSessionRequests } from '../transport/session-requests.ts';
import type { FallbackModule, PanelHost } from '../widget-contract.ts';
import { LazyChunk } from './lazy-chunk.ts';

/** File name of the chunk of this build with the transports that are seldom needed (scripts/build-widget.ts). */
declare const FALLBACK_CHUNK: string;

/** The server of the script, over the hub and beside it, as the user whose token it is. */
export function waysToServer(
  host: PanelHost,
  token: PageToken,
): Pick<ConversationOptions, 'connect' | 'control' | 'sessions'> {
  const { hubPath, controlPath } = host.settings;
  const resolve = (path: string): string => new URL(path, host.scriptUrl).href;
  const fallback = new LazyChunk<FallbackModule>({ host, file: FALLBACK_CHUNK, addStyles: () => undefined });
  const link = { url: resolve(hubPath), token, loadFallback: async () => (await fallback.load()).transports };
  return {
    connect: (listener) => new SignalRLink(link, listener),
    control: createControlRequests(resolve(`${controlPath}/approve`), resolve(`${controlPath}/cancel`), token),
    sessions: createSessionRequests(resolve(`${controlPath}/session`), token),
  };
}
