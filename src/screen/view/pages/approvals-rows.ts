import type {Approval} from '../../../pod/protocol.ts';
import {toolWord} from '../../../transcript/tool-title.ts';
import {age} from '../../../text/formats.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, pad, width} from '../../../text/width.ts';
import {blankRow, chosenRow, makeRow, storedRow, textRow, type Row} from '../../spans/row.ts';
import {foundApprovals, type ApprovalsPage} from '../../model/pages/approvals-state.ts';
import {withinList} from '../../model/pages/list.ts';
import {answerWords, deciderWords, decidedAt, noApprovals} from '../../model/pages/approvals-texts.ts';
import {pageHints, pageTitles, placeOf} from '../../model/pages/texts.ts';
import {filterRow, noMatchRow} from './filter-row.ts';
import type {PageSize} from './page-size.ts';

/** Returns the title, the search field, the visible approvals, the highlighted one in detail, and the keys. */
export function approvalsPageRows(page: ApprovalsPage, {columns, height}: PageSize): readonly Row[] {
	const approvals = foundApprovals(page);
	const room = roomOf(height);
	const {at, top} = withinList(page.list, approvals.length, room);
	const shown = approvals.slice(top, top + room);
	const answerCells = Math.max(0, ...shown.map(approval => width(answerWords(approval))));
	const rows = shown.map((approval, index) =>
		approvalRow(approval, {columns, asOf: page.asOf, answerCells, isChosen: top + index === at}),
	);
	const body = rows.length === 0 ? [emptyRow(page, columns)] : rows;
	const blank = Array.from({length: room - body.length}, () => blankRow);
	const described = detailRows(approvals[at], columns, detailHeight(height));
	const foot = height < minWithKeys ? [] : [keysRow({columns, at, count: approvals.length})];
	const title = textRow(cut(pageTitles.approvals, columns, '…'), 'bold');
	return [title, filterRow(page.query, columns), ...body, ...blank, ...described, ...foot].slice(0, height);
}

/** Returns the number of rows of the list. */
export function roomOf(height: number): number {
	return Math.max(1, height - 2 - detailHeight(height) - (height < minWithKeys ? 0 : 1));
}

/** Returns the number of rows about the highlighted approval: about a third of a high page, and none of a low page. */
function detailHeight(height: number): number {
	return height < minWithDetail ? 0 : Math.floor(height / 3);
}

const minWithKeys = 5;
const minWithDetail = 12;

function emptyRow({approvals}: ApprovalsPage, columns: number): Row {
	return approvals.length === 0 ? textRow(cut(noApprovals, columns, '…'), 'dim') : noMatchRow(columns);
}

type RowFacts = {
	readonly columns: number;
	readonly asOf: number;
	readonly answerCells: number;
	readonly isChosen: boolean;
};

/** Returns the row of an approval: its age, the answer, the call, and who decided. */
function approvalRow(approval: Approval, {columns, asOf, answerCells, isChosen}: RowFacts): Row {
	const room = Math.max(0, columns - markCells);
	const when = columns < narrowBelow ? '' : `${pad(age(asOf - Date.parse(approval.at)), ageCells)}  `;
	const lead = cut(`${when}${pad(answerWords(approval), answerCells)}  `, room);
	const left = room - width(lead);
	const words = callWords(approval);
	// A long call leaves a third of the row to the decision.
	const beside = Math.max(left - width(words), Math.floor(left / 3));
	const decider = cut(` · ${sanitizeLine(deciderWords(approval))}`, beside, '…');
	const call = cut(words, Math.max(0, left - width(decider)), '…');
	if (isChosen) return chosenRow(`${lead}${call}${decider}`, columns);
	return makeRow([
		{text: cut('  ', columns)},
		{text: lead, style: approval.allowed ? 'dim' : 'warn'},
		{text: call},
		{text: decider, style: 'dim'},
	]);
}

/** Returns `count` rows: when and how the approval was given, and the beginning of what the card showed. */
function detailRows(approval: Approval | undefined, columns: number, count: number): readonly Row[] {
	const rows = approval === undefined ? [] : [blankRow, factsRow(approval, columns), ...shownRows(approval, columns)];
	const blank = Array.from({length: Math.max(0, count - rows.length)}, () => blankRow);
	return [...rows.slice(0, count), ...blank];
}

function factsRow(approval: Approval, columns: number): Row {
	const {at, reason = ''} = approval;
	const facts = [decidedAt(at), answerWords(approval), deciderWords(approval), ...(reason === '' ? [] : [reason])];
	return textRow(cut(sanitizeLine(facts.join(' · ')), columns, '…'), 'heading');
}

function shownRows({shown, subject}: Approval, columns: number): readonly Row[] {
	const lines = (shown ?? subject).slice(0, maxShown).toWellFormed().split('\n', maxLines);
	return lines.map(line => storedRow(line, {columns}));
}

/** Returns a row with as many key hints as fit. */
function keysRow({columns, at, count}: {readonly columns: number; readonly at: number; readonly count: number}): Row {
	const hints = [pageHints.close, ...(count === 0 ? [] : [pageHints.show, placeOf(at + 1, count)])];
	const last = hints.findLastIndex((_, index) => width(hints.slice(0, index + 1).join(' · ')) <= columns);
	return textRow(cut(hints.slice(0, Math.max(1, last + 1)).join(' · '), columns, '…'), 'dim');
}

function callWords({tool, subject}: Approval): string {
	return sanitizeLine(`${toolWord(tool)} ${subject.slice(0, maxSubject).toWellFormed()}`);
}

const markCells = 2;
/** The width of the column of ages, which is enough for `59 min ago`. */
const ageCells = 10;
const narrowBelow = 50;
const maxSubject = 500;
const maxShown = 20_000;
/** More rows than a page has below the list. */
const maxLines = 100;
