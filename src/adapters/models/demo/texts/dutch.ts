import type { DemoTexts } from '../demo-texts.ts';

export const dutch: DemoTexts = {
  greeting: (appName) => `Hallo! Ik ben de demo-assistent van ${appName}. Vraag me iets, of vraag wat ik kan.`,
  thanks: 'Graag gedaan.',
  about: (appName, description) => `Dit is **${appName}**.${description === '' ? '' : ` ${description}`}`,
  isDemo:
    'Ik ben een ingebouwd demomodel: ik volg eenvoudige regels en heb geen sleutel nodig. Elk echt model kan mijn plaats innemen.',
  abilities: 'Dit kan ik hier doen:',
  pages: 'Ik kan u ook naar deze pagina’s brengen:',
  nothingToDo: 'Er is hier nog niets ingesteld dat ik kan doen.',
  unclear: 'Ik ben maar een demomodel en heb dat niet begrepen.',
  ask: (label) => `Ik mis nog een gegeven: **${label}**. Wat is het?`,
  found: (count) => `Gevonden: ${String(count)}.`,
  nothingFound: 'Ik heb niets gevonden.',
  onCard: (count) => `${count === undefined ? '' : `Gevonden: ${String(count)}. `}De kaart toont de details.`,
  more: (count) => `… en nog ${String(count)}.`,
  here: 'Dit heb ik gevonden:',
  done: (label) => `Gedaan: **${label}**.`,
  declined: 'U hebt geweigerd, dus er is niets gewijzigd.',
  refused: 'Ik mag dat niet voor u doen, dus er is niets gewijzigd.',
  cancelled: 'Dat is niet uitgevoerd, dus er is niets gewijzigd.',
  failed: (reason) => `Dat is niet gelukt: ${reason}`,
  unknown: 'Het is niet bekend of dat is uitgevoerd. Controleer het voordat u het opnieuw probeert.',
  opening: (title) => `Ik open de pagina **${title}**.`,
  unfinished: 'Ik kon dit niet afmaken. Vraag het in kleinere stappen.',
  yes: 'ja',
  no: 'nee',
};
