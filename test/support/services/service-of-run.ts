import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

/**
 * What the files of a run share: a PostgreSQL server (the folder of its socket), the data of an empty one (the folder with it), and a
 * Chromium (the address for `chromium.connect`).
 */
export type ServiceName = 'postgres' | 'postgresData' | 'chromium';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of services-of-run.ts. */
    readonly services: string;
  }
}

/** Where the service is. It is started for the first file of a run that asks. */
export async function serviceOfRun(name: ServiceName): Promise<string> {
  const url = `${inject('services')}/${name}`;
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      text(response).then((said) => {
        if (response.statusCode === 200) resolve(said);
        else reject(new Error(`${name} has not started: ${said}`));
      }, reject);
    }).on('error', reject);
  });
}
