import type { DemoTexts } from '../demo-texts.ts';

export const italian: DemoTexts = {
  greeting: (appName) =>
    `Ciao! Sono l'assistente demo di ${appName}. Chiedimi qualcosa, oppure chiedimi che cosa so fare.`,
  thanks: 'Prego.',
  about: (appName, description) => `Questa è **${appName}**.${description === '' ? '' : ` ${description}`}`,
  isDemo:
    'Sono un modello demo integrato: seguo regole semplici e non mi serve alcuna chiave. Un modello vero può prendere il mio posto.',
  abilities: 'Ecco che cosa posso fare qui:',
  pages: 'Posso anche portarti a queste pagine:',
  nothingToDo: 'Qui non è ancora configurato nulla che io possa fare.',
  unclear: 'Sono solo un modello demo e non ho capito.',
  cannotSee: 'Sono solo un modello demo e non posso vedere le immagini.',
  ask: (label) => `Mi serve ancora un dato: **${label}**. Qual è?`,
  found: (count) => `Risultati trovati: ${String(count)}.`,
  nothingFound: 'Non ho trovato nulla.',
  onCard: (count) =>
    `${count === undefined ? '' : `Risultati trovati: ${String(count)}. `}I dettagli sono nella scheda.`,
  more: (count) => `… e altri ${String(count)}.`,
  here: 'Ecco che cosa ho trovato:',
  done: (label) => `Fatto: **${label}**.`,
  doneOnCard: 'Fatto. I dettagli sono nella scheda.',
  declined: 'Hai rifiutato, quindi non è stato cambiato nulla.',
  refused: 'Non mi è permesso farlo per te, quindi non è stato cambiato nulla.',
  cancelled: "L'azione non è stata eseguita, quindi non è stato cambiato nulla.",
  failed: (reason) => `Non ha funzionato: ${reason}`,
  unknown: "Non è certo che l'azione sia stata eseguita. Controlla prima di riprovare.",
  opening: (title) => `Apro la pagina **${title}**.`,
  unfinished: 'Non sono riuscito a finire. Chiedimelo a piccoli passi.',
  noted: 'Me lo ricorderò.',
  remembered: 'Mi hai detto:',
  nothingRemembered: 'Non ricordo ancora nulla di te.',
  yes: 'sì',
  no: 'no',
};
