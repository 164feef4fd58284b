import {sentStates} from './sent.ts';
import type {State} from './stage.ts';
import {typedStates} from './typed.ts';

export const states: Readonly<Record<string, State>> = {...sentStates, ...typedStates};
