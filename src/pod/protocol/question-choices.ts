/** The choices of a card with questions. Their names are those of the wire. */
export const questionChoices = {answer: 'answer', none: 'none'} as const;
