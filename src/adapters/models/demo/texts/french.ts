import type { DemoTexts } from '../demo-texts.ts';

export const french: DemoTexts = {
  greeting: (appName) =>
    `Bonjour ! Je suis l'assistant de démonstration de ${appName}. Demandez-moi quelque chose, ou ce que je sais faire.`,
  thanks: 'Je vous en prie.',
  about: (appName, description) => `Ceci est **${appName}**.${description === '' ? '' : ` ${description}`}`,
  isDemo:
    "Je suis un modèle de démonstration intégré : je suis des règles simples et n'ai besoin d'aucune clé. Un vrai modèle peut prendre ma place.",
  abilities: 'Voici ce que je peux faire ici :',
  pages: 'Je peux aussi vous mener à ces pages :',
  nothingToDo: "Rien de ce que je pourrais faire n'est encore configuré ici.",
  unclear: "Je ne suis qu'un modèle de démonstration et je n'ai pas compris.",
  cannotSee: "Je ne suis qu'un modèle de démonstration et je ne peux pas voir les images.",
  ask: (label) => `Il me manque une information : **${label}**. Quelle est-elle ?`,
  found: (count) => `Résultats trouvés : ${String(count)}.`,
  nothingFound: "Je n'ai rien trouvé.",
  onCard: (count) =>
    `${count === undefined ? '' : `Résultats trouvés : ${String(count)}. `}La carte montre les détails.`,
  more: (count) => `… et ${String(count)} de plus.`,
  here: "Voici ce que j'ai trouvé :",
  done: (label) => `C'est fait : **${label}**.`,
  doneOnCard: "C'est fait. La carte montre les détails.",
  declined: "Vous avez refusé, rien n'a donc été modifié.",
  refused: "Je n'ai pas le droit de faire cela pour vous, rien n'a donc été modifié.",
  cancelled: "L'action n'a pas été exécutée, rien n'a donc été modifié.",
  failed: (reason) => `Cela n'a pas fonctionné : ${reason}`,
  unknown: "On ne sait pas si l'action a été exécutée. Vérifiez avant de réessayer.",
  opening: (title) => `J'ouvre la page **${title}**.`,
  unfinished: "Je n'ai pas pu terminer. Demandez-le en plusieurs étapes.",
  noted: 'Je m’en souviendrai.',
  remembered: 'Vous m’avez dit :',
  nothingRemembered: 'Je ne sais encore rien de vous.',
  yes: 'oui',
  no: 'non',
};
