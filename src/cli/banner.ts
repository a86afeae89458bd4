import type { HelperServer } from '../app.ts';
import type { HelperSettings } from '../config/settings.ts';
import { storageName } from '../config/storage-name.ts';

const demoModel = 'a demo model: built in, needs no key, and only imitates a real one';

export interface Announcement extends Pick<HelperServer, 'report' | 'log'> {
  readonly settings: HelperSettings;
  /** Where the server answers, `server.basePath` included. */
  readonly url: string;
}

/**
 * Says what runs: the address of the demo page, the model that answers, the storage, and the endpoints that are open to anyone. For people
 * it is a few plain lines, else log lines. Warnings are always log lines (contract/configuration.md#commands).
 */
export function announce(
  { report, log, settings, url }: Announcement,
  write: ((text: string) => void) | undefined,
): void {
  const { model } = report;
  // The address of the report lacks a port that the system chose: that port is known only now.
  const demoPage = report.demoPage === null ? null : `${url}/`;
  const openToAnyone = report.endpoints.filter(({ exposure }) => exposure.startsWith('open')).map(({ path }) => path);
  const storage = storageName(settings.storage);
  if (write === undefined) {
    const { count: tools, tokens: toolTokens, bytes: toolBytes } = report.toolWeight;
    const weight = { tools, toolTokens, toolBytes };
    const fields = { url, demoPage, model: model.name, demoModel: model.isDemo, ...weight, storage, openToAnyone };
    log.info(fields, `${settings.appName} is ready`);
  } else {
    const { host } = settings.server;
    write(
      [
        '',
        `${settings.appName} is ready. Stop it with Ctrl+C.`,
        '',
        demoPage === null ? `  Address          ${url}` : `  Demo page        ${demoPage}`,
        `  ${model.isAgent === true ? 'Agent' : 'Model'}            ${model.isDemo ? `${model.name}, ${demoModel}` : model.name}`,
        `  Tools            ${report.toolWeight.words}`,
        `  Storage          ${storage ?? 'none: it forgets everything when it stops'}`,
        `  Open to anyone   ${openToAnyone.join('  ') || 'nothing'}`,
        `                   (to anyone who can reach ${host})`,
        '',
        '',
      ].join('\n'),
    );
  }
  for (const { code, message } of report.warnings) log.warn({ code }, message);
}
