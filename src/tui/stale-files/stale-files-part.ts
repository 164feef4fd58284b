import type {Part} from '../state/app.ts';
import {pressAttachAgain} from './attach-again.ts';
import {checkShownFiles} from './stale-files-effects.ts';

/** Marks the files on the screen that have changed since the model saw them. */
export const staleFilesPart: Part = {
	press: pressAttachAgain,
	shown: checkShownFiles,
};
