import {blankRow, chosenRow, makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, width} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import {withinList} from '../../model/pages/list.ts';
import type {PageSize} from './page-size.ts';
import type {LoginPage} from '../../model/pages/login-state.ts';
import {loginTexts} from './login-texts.ts';

/** Returns the rows of the page. The field shows a dot for each character of the API key. */
export function loginPageRows(page: LoginPage, size: PageSize): readonly Row[] {
	const {columns, height} = size;
	const rows = page.provider === undefined ? listRows(page, size) : fieldRows(page, page.provider, columns);
	const hints = page.provider === undefined ? loginTexts.listHints : loginTexts.keyHints;
	const foot = textRow(hintsThatFit(hints, columns), 'dim');
	const body = rows.slice(0, Math.max(0, height - 1));
	const blank = Array.from({length: Math.max(0, height - 1 - body.length)}, () => blankRow);
	return [...body, ...blank, foot].slice(0, height);
}

/** Returns the number of providers that fit on the page. */
export function roomOf({height}: PageSize): number {
	return Math.max(1, height - 2);
}

/** Returns the position of the cursor in the field. */
export function loginCaret(
	{provider, length}: LoginPage,
	columns: number,
): {readonly x: number; readonly y: number} | undefined {
	if (provider === undefined) return undefined;
	return {x: Math.min(Math.max(0, columns - 1), label.length + dotsOf(length, columns)), y: 1};
}

const label = '❯ ';

function listRows({providers, list}: LoginPage, size: PageSize): readonly Row[] {
	const {columns} = size;
	const room = roomOf(size);
	const {at, top} = withinList(list, providers.length, room);
	const title = textRow(cut(loginTexts.titleOfList, columns, '…'), 'bold');
	if (providers.length === 0) return [title, textRow(cut(loginTexts.noProviders, columns, '…'), 'dim')];
	const rows = providers.slice(top, top + room).map((provider, index) => {
		const text = cut(sanitizeLine(provider), Math.max(0, columns - 2), '…');
		return top + index === at
			? chosenRow(text, columns)
			: makeRow([{text: cut('  ', columns)}, {text, style: 'plain'}], 'choice');
	});
	return [title, ...rows];
}

function fieldRows({length, isChecking, problem}: LoginPage, provider: string, columns: number): readonly Row[] {
	const title = textRow(cut(sanitizeLine(loginTexts.titleOf(provider)), columns, '…'), 'bold');
	const placeholder = isChecking ? loginTexts.checking : length === 0 ? loginTexts.paste : '';
	const field = makeRow([
		{text: cut(label, columns), style: 'accent'},
		{text: '•'.repeat(dotsOf(length, columns))},
		{text: cut(placeholder, Math.max(0, columns - label.length), '…'), style: 'dim'},
	]);
	return [
		title,
		field,
		...(problem === undefined ? [] : wrapped(`× ${problem}`, columns, 'error')),
		...wrapped(loginTexts.explanation, columns, 'dim'),
	];
}

/**
Returns the number of dots: one for each character of the key, as far as they fit. The last cell is for the cursor.
*/
function dotsOf(length: number, columns: number): number {
	return Math.max(0, Math.min(length, columns - label.length - 1));
}

function wrapped(text: string, columns: number, style: 'error' | 'dim'): readonly Row[] {
	return wrap(sanitizeLine(text), Math.max(1, columns)).map(line => textRow(line, style));
}

function hintsThatFit(hints: readonly string[], columns: number): string {
	const count = hints.findLastIndex((_, index) => width(hints.slice(0, index + 1).join(' · ')) <= columns);
	return hints.slice(0, count + 1).join(' · ');
}
