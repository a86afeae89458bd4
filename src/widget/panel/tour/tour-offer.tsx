import type { JSX } from 'preact';
import type { PanelContext } from '../panel-context.ts';

/** Asks once whether the user wants to be shown around. It waits: nothing begins by itself. */
export function TourOffer({ context }: { readonly context: PanelContext }): JSX.Element | null {
  const { texts, tour } = context;
  if (!tour.isOffered) return null;
  return (
    <div class="tour-offer" role="group" aria-label={texts.tourOffer}>
      <p aria-hidden="true">{texts.tourOffer}</p>
      <button type="button" class="button primary" onClick={tour.start}>
        {texts.tourStart}
      </button>
      <button type="button" class="button" onClick={tour.decline}>
        {texts.tourDecline}
      </button>
    </div>
  );
}
