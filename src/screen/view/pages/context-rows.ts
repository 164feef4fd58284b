import type {AppState} from '../../model/app-state.ts';
import {rangeSuffix, type Ledger, type LedgerRow} from '../../../pod/protocol.ts';
import {blankRow, chosenRow, makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, pad, width} from '../../../text/width.ts';
import {formatCount} from '../../../text/formats.ts';
import {withinList} from '../../model/pages/list.ts';
import type {PageSize} from './page-size.ts';
import {foundRows, type ContextPage} from '../../model/pages/context-state.ts';
import {filterRow, noMatchRow} from './filter-row.ts';
import {
	aboutTokens,
	bytesOf,
	contextFlags,
	pageHints,
	pageTitles,
	placeOf,
	rowCount,
	shareOfWindow,
	summaryOf,
	unfinishedCompactions,
} from '../../model/pages/texts.ts';

/** Returns the totals, the search field, the visible rows of the list, and the keys if they fit. */
export function contextPageRows(
	page: ContextPage,
	size: PageSize,
	{setup: {isSpoken = false}}: Pick<AppState, 'setup'>,
): readonly Row[] {
	const {ledger, list: wanted, query, isBySize} = page;
	const {columns, height} = size;
	const found = foundRows(page);
	const [count, room] = [found.length, roomOf(ledger, size)];
	const {at, top} = withinList(wanted, count, room);
	const shown = found.slice(top, top + room);
	const rows = shown.map((row, index) =>
		contextRow(row, {columns, total: ledger.tokens, isChosen: top + index === at, isSpoken}),
	);
	const body = rows.length === 0 ? [noMatchRow(columns)] : rows;
	const [title, ...totals] = headRows(ledger, size);
	const head = [title, filterRow(query, columns), ...totals];
	if (!hasHints(head.length, height)) return [...head, ...body].slice(0, height);
	const blank = Array.from({length: Math.max(0, room - body.length)}, () => blankRow);
	return [...head, ...body, ...blank, hintsRow({columns, at, count, isBySize})].slice(0, height);
}

/** Returns the number of rows of the list. */
export function roomOf(ledger: Ledger, size: PageSize): number {
	const head = headRows(ledger, size).length + 1;
	return Math.max(1, size.height - head - (hasHints(head, size.height) ? 1 : 0));
}

function hasHints(head: number, height: number): boolean {
	return height - head >= minWithHints;
}

/** The minimum number of rows for the list and its keys. */
const minWithHints = 4;

/** Returns rows with the tokens, the share of the context window, and the totals by kind, largest first. */
function headRows(
	{tokens, window, rows, totals, unfinished}: Ledger,
	{columns, height}: PageSize,
): readonly [Row, ...Row[]] {
	const title = cut(pageTitles.context, columns, '…');
	const share = shareOfWindow(percent(tokens, window ?? 0), window);
	const lost = unfinished === undefined ? [] : [unfinishedCompactions(unfinished.compactions)];
	const facts = [aboutTokens(tokens), share, rowCount(rows.length), ...lost];
	const rest = cut(facts.map(fact => ` · ${fact}`).join(''), columns - width(title), '…');
	const first = makeRow([
		{text: title, style: 'bold'},
		{text: rest, style: 'dim'},
	]);
	const maxRows = height < 7 ? 0 : height < 13 ? 1 : 3;
	const largest = totals.toSorted((one, other) => other.tokens - one.tokens);
	const kinds = largest.map(({kind, rows: count, tokens: own}) => {
		return `${kind} ${count}× ${formatCount(own)} ${percent(own, tokens)}`;
	});
	return [first, ...packed(kinds, columns, maxRows).map(row => textRow(row, 'dim'))];
}

type RowFacts = {
	readonly columns: number;
	/** The total number of tokens of all rows. */
	readonly total: number;
	readonly isChosen: boolean;
	readonly isSpoken: boolean;
};

/** Returns the row of an item: a bar of the item's share, and the item's tokens, kind, name and flags. */
function contextRow(row: LedgerRow, {columns, total, isChosen, isSpoken}: RowFacts): Row {
	const bar = columns < wideFrom || isSpoken ? '' : `${barOf(row.tokens, total)} `;
	const share =
		columns < middleFrom ? '' : `${(row.dropped === true ? '' : percent(row.tokens, total)).padStart(5)}  `;
	const tokens = `${(row.dropped === true ? '-' : formatCount(row.tokens)).padStart(6)} `;
	const kind = `${pad(cut(row.kind, columns < middleFrom ? 6 : kindCells), columns < middleFrom ? 6 : kindCells)} `;
	const lead = cut(`${bar}${tokens}${share}${kind}`, Math.max(0, columns - markCells));
	const room = Math.max(0, columns - markCells - width(lead));
	const flags = cut(
		flagsOf(row)
			.map(flag => ` · ${flag}`)
			.join(''),
		Math.max(0, room - Math.min(room, minLabel)),
		'…',
	);
	const label = cut(nameOf(row), room - width(flags), '…');
	if (isChosen) return chosenRow(`${lead}${label}${flags}`, columns);
	return makeRow([
		{text: cut('  ', columns)},
		{text: lead, style: 'dim'},
		{text: label, style: row.dropped === true ? 'dim' : row.path === undefined ? 'plain' : 'path'},
		{text: flags, style: row.state === 'changed' || row.state === 'gone' ? 'warn' : 'dim'},
	]);
}

/** Returns a row with the position of the highlighted entry and as many key hints as fit. */
function hintsRow({columns, at, count, isBySize}: HintFacts): Row {
	const {drop, pin, prune, restore, show, close, bySize, inOrder} = pageHints;
	const place = placeOf(Math.min(at + 1, count), count);
	const hints = [close, show, isBySize ? inOrder : bySize, drop, restore, pin, prune, place];
	const last = hints.findLastIndex((_, index) => width(hints.slice(0, index + 1).join(' · ')) <= columns);
	return textRow(cut(hints.slice(0, Math.max(1, last + 1)).join(' · '), columns, '…'), 'dim');
}

type HintFacts = {
	readonly columns: number;
	readonly at: number;
	readonly count: number;
	readonly isBySize: boolean;
};

const markCells = 2;
const barCells = 6;
const kindCells = 12;
/** The minimum number of cells for a label if flags follow it. */
const minLabel = 12;
const wideFrom = 80;
const middleFrom = 60;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function barOf(tokens: number, total: number): string {
	const filled = total === 0 ? 0 : Math.round((Math.min(tokens, total) / total) * barCells * 8);
	return pad('█'.repeat(Math.floor(filled / 8)) + (eighths[filled % 8] ?? ''), barCells);
}

function percent(part: number, whole: number): string {
	const share = whole === 0 ? 0 : (part / whole) * 100;
	return share > 0 && share < 1 ? '<1%' : `${Math.round(share)}%`;
}

function nameOf({label, path, range}: LedgerRow): string {
	return sanitizeLine((path === undefined ? label : `${path}${rangeSuffix(range)}`).slice(0, 500).toWellFormed());
}

function flagsOf({body, summarised, state, pinned, dropped, pruned}: LedgerRow): readonly string[] {
	return [
		...(dropped === true ? [contextFlags.dropped] : []),
		...(pinned === true ? [contextFlags.pinned] : []),
		...(pruned === true ? [contextFlags.pruned] : []),
		...(state === 'changed' || state === 'gone' ? [contextFlags[state]] : []),
		...(body !== undefined && body.bytes < body.totalBytes ? [bytesOf(body.bytes, body.totalBytes)] : []),
		...(summarised === undefined ? [] : [summaryOf(summarised)]),
	];
}

/** Joins words into at most `maxRows` rows. The last row counts the words that do not fit. */
function packed(words: readonly string[], columns: number, maxRows: number): readonly string[] {
	const rows: string[] = [];
	for (const [index, word] of words.entries()) {
		const last = rows.at(-1);
		const longer = last === undefined ? word : `${last} · ${word}`;
		const isLast = rows.length === maxRows && index < words.length - 1;
		if (last !== undefined && width(longer) <= columns - (isLast ? moreCells : 0)) rows[rows.length - 1] = longer;
		else if (rows.length < maxRows) rows.push(cut(word, columns, '…'));
		else if (last === undefined) return [];
		else return rows.with(-1, cut(`${last} · +${words.length - index}`, columns, '…'));
	}
	return rows;
}

/** The number of cells that ` · +12` needs. */
const moreCells = 6;
