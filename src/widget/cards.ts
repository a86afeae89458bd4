import cardsCss from './cards/cards.css';

export { drawCard } from './cards/draw-card.ts';

/** The panel adds these styles to its shadow root with the first card. */
export const styles: string = cardsCss;
