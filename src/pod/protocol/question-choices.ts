/** The choices of a card with questions. The values are their names in the protocol. */
export const questionChoices = {answer: 'answer', none: 'none'} as const;
