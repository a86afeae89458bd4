import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import { randomId } from '../core/base/random-id.ts';
import type { Logger } from '../core/ports/logger.ts';
import { anonymousPrincipal } from '../core/identity/principal.ts';
import { toolUser } from '../core/tools/tool-user.ts';

const readTimeoutMs = 5000;

/**
 * What the demo page's list shows: the orders as the sample plugin has them, read through its own read-only action.
 * Undefined when the sample is not loaded.
 */
export function demoOrders(plugins: readonly LoadedPlugin[], log: Logger): (() => Promise<unknown>) | undefined {
  const plugin = plugins.find(({ name }) => name === 'order-desk');
  const list = plugin?.tools.find(({ name, readOnly }) => name === 'list_orders' && readOnly === true);
  if (list === undefined) return undefined;
  return async () => {
    const callId = randomId();
    const result = await list.execute(
      {},
      {
        user: toolUser(anonymousPrincipal(callId)),
        signal: AbortSignal.timeout(readTimeoutMs),
        callId,
        turnId: callId,
        conversationId: callId,
        channel: 'hub',
        page: undefined,
        log,
        progress: () => undefined,
      },
    );
    return result.value;
  };
}
