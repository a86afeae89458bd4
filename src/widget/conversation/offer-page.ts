import type { PageContext } from '../../wire/hub-methods.ts';
import type { HubLink } from '../transport/hub-port.ts';
import type { PageActions } from './page-actions.ts';

interface Offering {
  readonly hub: HubLink;
  readonly page: () => PageContext | undefined;
  readonly actions: PageActions;
  /** The server did not take it, and says why. */
  readonly onRefused: (message: string) => void;
}

/** Makes a function that says what the page can do now; it counts for the turns that begin after it (wire.md 3, `SetPage`). */
export function offering({ hub, page, actions, onRefused }: Offering): () => void {
  let hasOffered = false;
  return () => {
    const { offered } = actions;
    // A page that never had anything to offer need not say so.
    if (offered.length === 0 && !hasOffered) return;
    hasOffered = true;
    hub.invoke('SetPage', { name: '', ...page(), actions: offered }).catch((error: unknown) => {
      if (hub.isConnected) onRefused(String(error));
    });
  };
}
