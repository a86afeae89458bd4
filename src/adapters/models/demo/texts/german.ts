import type { DemoTexts } from '../demo-texts.ts';

export const german: DemoTexts = {
  greeting: (appName) =>
    `Hallo! Ich bin der Demo-Assistent von ${appName}. Bitten Sie mich um etwas, oder fragen Sie, was ich kann.`,
  thanks: 'Gern geschehen.',
  about: (appName, description) => `Das ist **${appName}**.${description === '' ? '' : ` ${description}`}`,
  isDemo:
    'Ich bin ein eingebautes Demo-Modell: Ich folge einfachen Regeln und brauche keinen Schlüssel. Jedes echte Modell kann meinen Platz einnehmen.',
  abilities: 'Das kann ich hier tun:',
  pages: 'Ich kann Sie auch zu diesen Seiten bringen:',
  nothingToDo: 'Hier ist noch nichts eingerichtet, was ich tun könnte.',
  unclear: 'Ich bin nur ein Demo-Modell und habe das nicht verstanden.',
  cannotSee: 'Ich bin nur ein Demo-Modell und kann keine Bilder sehen.',
  ask: (label) => `Mir fehlt noch eine Angabe: **${label}**. Wie lautet sie?`,
  found: (count) => `Gefunden: ${String(count)}.`,
  nothingFound: 'Ich habe nichts gefunden.',
  onCard: (count) => `${count === undefined ? '' : `Gefunden: ${String(count)}. `}Die Karte zeigt die Einzelheiten.`,
  more: (count) => `… und ${String(count)} weitere.`,
  here: 'Das habe ich gefunden:',
  done: (label) => `Erledigt: **${label}**.`,
  declined: 'Sie haben abgelehnt, es wurde also nichts geändert.',
  refused: 'Das darf ich für Sie nicht tun, es wurde also nichts geändert.',
  cancelled: 'Das wurde nicht ausgeführt, es wurde also nichts geändert.',
  failed: (reason) => `Das hat nicht geklappt: ${reason}`,
  unknown: 'Es ist nicht bekannt, ob das ausgeführt wurde. Bitte prüfen Sie es, bevor Sie es noch einmal versuchen.',
  opening: (title) => `Ich öffne die Seite **${title}**.`,
  unfinished: 'Ich konnte das nicht zu Ende bringen. Bitte fragen Sie in kleineren Schritten.',
  noted: 'Das merke ich mir.',
  remembered: 'Sie haben mir gesagt:',
  nothingRemembered: 'Ich weiß noch nichts über Sie.',
  yes: 'ja',
  no: 'nein',
};
