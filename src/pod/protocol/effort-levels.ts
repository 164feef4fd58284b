/**
How much a model thinks, from the least to the most. If a model lacks a level, its next lower level is used. The first
frame needs the levels, so this file loads no schemas.
*/
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'max'] as const;
export type Effort = (typeof efforts)[number];
