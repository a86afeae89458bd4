import type { PageContext } from '../../wire/hub-methods.ts';
import type { HubLink } from '../transport/hub-port.ts';
import type { PageActions } from './page-actions.ts';
import { after } from './waiting-list.ts';

interface Offering {
  readonly hub: HubLink;
  readonly page: () => PageContext | undefined;
  readonly actions: PageActions;
  /** The server refused the offer. `message` says why. */
  readonly onRefused: (message: string) => void;
}

/** The longest wait for the tools of a page, in milliseconds. */
const patienceMs = 2000;

/**
 * Makes a function that tells the server what the page can do now. The offer counts for turns that begin later (contract/ui-actions.md,
 * `SetPage`). Where the page has tools of its own, the function resolves once the server has taken the offer. Otherwise it resolves at
 * once.
 */
export function offering({ hub, page, actions, onRefused }: Offering): () => Promise<void> {
  let hasOffered = false;
  const offer = async (): Promise<void> => {
    const { offered } = actions;
    // A page that never offered anything has nothing to take back.
    if (offered.length === 0 && !hasOffered) return;
    hasOffered = true;
    try {
      await hub.invoke('SetPage', { name: '', ...page(), actions: offered });
    } catch (error) {
      if (!hub.isConnected) return;
      const fault = String(error);
      const at = /\bactions\[(\d+)\]/.exec(fault)?.[1];
      const refused = at === undefined ? undefined : offered[Number(at)];
      // The server refused a tool. The rest is offered again without it.
      if (refused !== undefined && actions.refuse(refused.name)) await offer();
      else onRefused(fault);
    }
  };
  return async () => {
    const { known } = actions;
    if (known === null) void offer();
    else await Promise.race([known.then(offer), after(patienceMs)]);
  };
}
