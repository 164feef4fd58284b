import type {Part} from '../state/app.ts';
import {pressOnPage} from './page-keys.ts';
import {pageRows} from './page-rows.ts';
import {pressEscapeTwice} from './rewind/escape-twice.ts';

/** Shows the open page and gives it the keys. Its size is that of the transcript in the last frame. */
export const pagesPart: Part = {
	press: (app, key) => pressOnPage(app, key, {columns: app.frame.size.columns, height: app.frame.transcriptHeight}),
	overlay: ({state}, columns, height) => pageRows(state, columns, height),
	leave: app => app.dispatch({type: 'close page'}),
};

/** Opens the rewind page on Esc Esc. */
export const escapeTwicePart: Part = {press: pressEscapeTwice};
