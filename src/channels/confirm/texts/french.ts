import type { ConfirmTexts } from './confirm-texts.ts';

export const french: ConfirmTexts = {
  locale: 'fr',
  confirmTitle: 'Veuillez confirmer',
  irreversible: 'Cette action est irréversible.',
  notFromUser: 'ne vient pas de vous',
  confirmUntil: 'Vous pouvez répondre jusqu’à {time}.',
  approve: 'Approuver',
  decline: 'Refuser',
  influenced: 'La question vous est posée à cause d’un texte qui ne vient pas de vous.',
  program:
    'Un programme que vous avez connecté veut faire ceci. N’approuvez que si vous venez de le demander à ce programme.',
  waits: 'Vous avez approuvé. Le programme l’exécute dès qu’il le redemande.',
  running: 'Vous avez approuvé. C’est en cours.',
  signedInAs: 'Connecté en tant que {user}',
  signIn: 'Connectez-vous à l’application dans ce navigateur, puis rouvrez cette page.',
  again: 'Rouvrir',
  notYours: 'Cette question s’adresse à quelqu’un d’autre.',
  programRefused: 'Le programme qui demande ne peut pas répondre. Connectez-vous à l’application dans ce navigateur.',
  gone: 'Il n’y a rien à confirmer ici.',
  failed: 'Cela n’a pas fonctionné. Veuillez réessayer.',
  confirmHere: 'Veuillez confirmer dans le navigateur : {action}',
  outcome: {
    declined: 'Vous avez refusé. Rien n’a été modifié.',
    expired: 'Personne n’a répondu à temps. Rien n’a été modifié.',
    cancelled: 'La question a été retirée. Rien n’a été modifié.',
  },
  ended: {
    succeeded: 'Terminé : {action}',
    failed: 'Échec : {action}',
    declined: 'Refusé : {action}',
    refused: 'Non autorisé : {action}',
    cancelled: 'Annulé : {action}',
    unknown: 'On ne sait pas si cela a eu lieu, veuillez vérifier : {action}',
  },
};
