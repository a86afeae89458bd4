import type { ConfirmTexts } from './confirm-texts.ts';

export const english: ConfirmTexts = {
  locale: 'en',
  confirmTitle: 'Please confirm',
  irreversible: 'This cannot be undone.',
  notFromUser: 'not from you',
  confirmUntil: 'You can answer until {time}.',
  approve: 'Approve',
  decline: 'Decline',
  influenced: 'You are asked because of text that is not from you.',
  program:
    'A program that you have connected wants to do this. Approve it only if you have just asked that program for it.',
  waits: 'You approved this. The program runs it when it asks again.',
  running: 'You approved this. It is running.',
  signedInAs: 'Signed in as {user}',
  signIn: 'Please sign in to the application in this browser. Then open this page again.',
  again: 'Open again',
  notYours: 'This question is for another user.',
  programRefused: 'The program that asks cannot answer. Please sign in to the application in this browser.',
  gone: 'There is nothing to answer here.',
  failed: 'This did not work. Please try again.',
  confirmHere: 'Please confirm in the browser: {action}',
  outcome: {
    declined: 'You declined this. Nothing was changed.',
    expired: 'Nobody answered in time. Nothing was changed.',
    cancelled: 'The question was withdrawn. Nothing was changed.',
  },
  ended: {
    succeeded: 'Done: {action}',
    failed: 'Failed: {action}',
    declined: 'Declined: {action}',
    refused: 'Not allowed: {action}',
    cancelled: 'Cancelled: {action}',
    unknown: 'Unclear whether it happened, please check: {action}',
  },
};
