import { tourChannel } from '../../channels/control/tour-channel.ts';
import type { Language } from '../../core/language/language.ts';
import { textsByLanguage } from '../../core/language/texts.ts';
import type { Toolbox } from '../../core/tools/toolbox.ts';
import { buildTour, type Tour } from '../../core/tour/build-tour.ts';
import type { MountChannel } from './mount-channel.ts';

/** The onboarding tour (contract/widget.md#tour): answered whatever `enableOnboardingTour` says, which is about the widget. */
export const mountTour: MountChannel = (http, { settings, current, prepared, admission }) => {
  const { basePath, channels } = settings.server;
  if (channels.length === 0) return;
  let built: { readonly toolbox: Toolbox; readonly language: Language; readonly tour: Tour } | null = null;
  const tour = (): Tour => {
    const toolbox = prepared.tools.toolbox.current;
    const { language } = current();
    if (built?.toolbox !== toolbox || built.language !== language) {
      built = { toolbox, language, tour: buildTour(toolbox, textsByLanguage[language]) };
    }
    return built.tour;
  };
  void http.register(tourChannel, { basePath, tour, admission });
};
