import type { ClientSettings } from '../../wire/client-settings.ts';
import type { LinkRules } from '../nodes/plan-link.ts';

/** Where links of replies and cards may lead on this page (contract/widget.md#links). */
export function linkRules({ linkHosts: hosts }: ClientSettings): LinkRules {
  return { page: location.origin, hosts };
}
