import type {Part} from '../state/app.ts';
import {preflightRows} from './preflight-rows.ts';

/** Shows above the composer what each ref of the draft will become. */
export const preflightPart: Part = {
	rows: (app, columns, most) => preflightRows(app.state, columns, most),
};
