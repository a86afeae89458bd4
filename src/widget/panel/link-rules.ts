import type { PanelHost } from '../widget-contract.ts';
import type { LinkRules } from '../nodes/plan-link.ts';

/** Where links of replies and cards may lead on this page (contract/widget.md#links). */
export function linkRules({
  settings: { linkHosts: hosts, endpoints },
  scriptUrl,
}: Pick<PanelHost, 'settings' | 'scriptUrl'>): LinkRules {
  return {
    page: location.origin,
    base: document.baseURI,
    hosts,
    endpoints: endpoints.map((path) => new URL(path, scriptUrl).href),
  };
}
