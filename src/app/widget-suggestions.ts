import type { Toolbox } from '../core/tools/toolbox.ts';
import type { ClientSettings } from '../wire/client-settings.ts';

/** As many as a small panel shows without scrolling. */
const maxSuggestions = 6;

/**
 * First messages for the widget (contract/widget.md): the configured ones, else what reads and where one can go, as far as it needs no
 * role. Everybody who loads the script can read them.
 */
export function widgetSuggestions(
  { enableSuggestions, suggestions }: { readonly enableSuggestions: boolean; readonly suggestions: readonly string[] },
  { tools, pages }: Pick<Toolbox, 'tools' | 'pages'>,
): Pick<ClientSettings, 'suggestions'> {
  if (!enableSuggestions) return {};
  if (suggestions.length > 0) return { suggestions: { messages: suggestions, pages: [] } };
  const readers = tools.filter(
    ({ source, readOnly, requiredRoles }) => source !== 'built-in' && readOnly === true && requiredRoles.length === 0,
  );
  const targets = pages.filter(({ requiredRoles, url }) => requiredRoles.length === 0 && !url.includes('{'));
  const messages = readers.slice(0, maxSuggestions).map(({ title }) => title);
  const rest = targets.slice(0, maxSuggestions - messages.length).map(({ title }) => title);
  return { suggestions: { messages, pages: rest } };
}
