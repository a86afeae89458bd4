import cardsCss from './cards/cards.css';

export { drawCard } from './cards/draw-card.ts';

/** Added to the panel's shadow root with the first card. */
export const styles: string = cardsCss;
