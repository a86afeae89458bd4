import type { HelperSettings } from '../../config/settings.ts';
import { pathInPages } from './page-path.ts';
import type { OfferSource } from './tool-provider.ts';

/** The pages that the configuration declares. */
export function yamlPages({ pages, configFile }: Pick<HelperSettings, 'pages' | 'configFile'>): OfferSource {
  return {
    name: configFile,
    offer: () => ({ tools: [], pages }),
    placeOf: (kind, name) => ({ file: configFile, path: pathInPages(kind, name) }),
  };
}
