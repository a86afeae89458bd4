import type { EmbedSettings } from '../wire/embed-settings.ts';
import { startEmbedPage } from './embed/start-embed-page.ts';

/** The server writes the settings in front of this script (channels/widget). */
declare const HELPER_SETTINGS: EmbedSettings;

const script = document.currentScript as HTMLScriptElement; // a classic script has its tag while it runs
startEmbedPage(HELPER_SETTINGS, script.src);
