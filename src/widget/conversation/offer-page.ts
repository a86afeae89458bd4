import type { PageContext } from '../../wire/hub-methods.ts';
import type { HubLink } from '../transport/hub-port.ts';
import type { PageActions } from './page-actions.ts';
import { after } from './waiting-list.ts';

interface Offering {
  readonly hub: HubLink;
  readonly page: () => PageContext | undefined;
  readonly actions: PageActions;
  /** The server did not take it, and says why. */
  readonly onRefused: (message: string) => void;
}

/** Nobody waits longer than this for the tools of a page. */
const patienceMs = 2000;

/**
 * Makes a function that says what the page can do now; it counts for the turns that begin after it (contract/ui-actions.md, `SetPage`). Where
 * the page has tools of its own it resolves once the server has taken what it takes of them, else at once.
 */
export function offering({ hub, page, actions, onRefused }: Offering): () => Promise<void> {
  let hasOffered = false;
  const offer = async (): Promise<void> => {
    const { offered } = actions;
    // A page that never had anything to offer need not say so.
    if (offered.length === 0 && !hasOffered) return;
    hasOffered = true;
    try {
      await hub.invoke('SetPage', { name: '', ...page(), actions: offered });
    } catch (error) {
      if (!hub.isConnected) return;
      const fault = String(error);
      const at = /\bactions\[(\d+)\]/.exec(fault)?.[1];
      const refused = at === undefined ? undefined : offered[Number(at)];
      // A tool that was not made for this server must not stand in the way of what was.
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
