import type {Part} from '../state/app.ts';
import {reportSeen} from './completion-effects.ts';
import {pressCompletion} from './completion-keys.ts';
import {completionRows, nextCompletionChange} from './completion-rows.ts';

/** The popup that completes `@path`, `/command` and `/workflow` above the composer. */
export const completionPart: Part = {
	press: pressCompletion,
	rows: (app, columns, most) => completionRows(app.state, columns, most),
	shown: reportSeen,
	nextChange: app => nextCompletionChange(app.state),
};
