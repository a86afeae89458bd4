import { listed, tokenEntries } from '../../config/token-issuers.ts';
import { a2aAsksOnPage, mcpAsksOnPage } from './confirm-on-page.ts';
import type { MountChannel } from './mount-channel.ts';

/** The page on which users answer calls of programs (contract/mcp-server.md#the-page). */
export const mountConfirm: MountChannel = (http, { settings, assistant, elsewhere, transports, ownPages }) => {
  if (!mcpAsksOnPage(settings) && !a2aAsksOnPage(settings)) return;
  const { appName, language, primaryColor, server, auth } = settings;
  // Any user may answer, whatever roles the chat needs: the question says whose it is.
  const entries = tokenEntries(auth).map(({ settings: entry }) => entry);
  const admission = { ...transports, guard: ownPages, authorization: { requireAuthorization: false, roles: [] } };
  // Loaded only here: most servers have no such page.
  void http.register(async (app) => {
    const { confirmChannel } = await import('../../channels/confirm/confirm-channel.ts');
    await app.register(confirmChannel, {
      basePath: server.basePath,
      assistant,
      elsewhere,
      admission,
      programs: entries.flatMap(({ programs }) => programs),
      zitadel: entries.flatMap(({ preset, issuer }) => (preset === 'zitadel' ? listed(issuer) : [])),
      appName,
      primaryColor,
      language,
    });
  });
};
