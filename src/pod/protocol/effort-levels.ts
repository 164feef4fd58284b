/**
How much a model thinks, from the least to the most. A model without a level uses its next lower one. The first frame
needs the levels, so this file loads no schemas.
*/
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'max'] as const;
export type Effort = (typeof efforts)[number];
