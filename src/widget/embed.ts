import type { EmbedSettings } from '../wire/embed-settings.ts';
import { startEmbedPage } from './embed/start-embed-page.ts';

/** Written by the server in front of this script (channels/widget). */
declare const HELPER_SETTINGS: EmbedSettings;

const script = document.currentScript as HTMLScriptElement; // a classic script, so it has a tag while it runs
startEmbedPage(HELPER_SETTINGS, script.src);
