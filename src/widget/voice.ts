import buttonCss from './nodes/composer-button.css';
import css from './voice/voice.css';

export { createVoice } from './voice/voice-session.ts';

export const styles: string = buttonCss + css;
