import type {BackgroundCommand, BackgroundOutput} from '../../pod/protocol.ts';
import {blankRow, makeRow, storedRows, textRow, type Row} from '../text/row.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut, pad, width} from '../text/width.ts';
import {formatBytes, formatDuration} from '../text/formats.ts';

/** What the page shows: the commands that run, or the output of one. `output` is absent until it is there. */
export type TasksView =
	| ListView
	| OutputView;

/** `below`: how many rows are hidden below. */
type OutputView = {
	readonly kind: 'output';
	readonly command: BackgroundCommand;
	readonly isRunning: boolean;
	readonly output?: BackgroundOutput | undefined;
	readonly below: number;
};

type ListView = {
	readonly kind: 'list';
	readonly commands: readonly BackgroundCommand[];
	readonly at: number;
	readonly top: number;
};

export type TasksFacts = {readonly columns: number; readonly height: number; readonly now: number};

/** The page as rows: its title, its contents, and its keys where there is room. All words of a command are untrusted. */
export function tasksRows(view: TasksView, facts: TasksFacts): readonly Row[] {
	const {columns, height} = facts;
	const body = view.kind === 'list' ? listRows(view, facts) : outputRows(view, facts);
	const title = textRow(cut(titleOf(view, facts), columns, '…'), 'bold');
	const keys = textRow(cut(keysOf(view), columns, '…'), 'dim');
	const room = roomOf(height);
	const shown = body.slice(0, room);
	const blank = Array.from({length: room - shown.length}, () => blankRow);
	return [title, ...shown, ...(height < leastWithKeys ? [] : [...blank, keys])].slice(0, height);
}

/** Rows for the contents. */
export function roomOf(height: number): number {
	return Math.max(1, height - (height < leastWithKeys ? 1 : 2));
}

/** How many rows an output has in all: what can be scrolled. */
export function countOutputRows(output: BackgroundOutput | undefined, columns: number): number {
	return outputTextRows(output, columns).length;
}

const leastWithKeys = 4;

function titleOf(view: TasksView, {now}: TasksFacts): string {
	if (view.kind === 'list') return 'Background tasks';
	const {command: {id, command, since}, isRunning, output} = view;
	const time = isRunning ? formatDuration(now - since) : 'ended';
	const size = output === undefined ? [] : [formatBytes(output.bytes)];
	return `${[id, time, ...size].map(sanitizeLine).join(' · ')} · ${sanitizeLine(command)}`;
}

function keysOf(view: TasksView): string {
	if (view.kind === 'output') return `${view.isRunning ? 'x stop · ' : ''}↑↓ PgUp PgDn scroll · Esc back`;
	return view.commands.length === 0 ? 'Esc close' : 'Enter show output · x stop · Esc close';
}

function listRows({commands, at, top}: ListView, {columns, height, now}: TasksFacts): Row[] {
	if (commands.length === 0) return [textRow(cut('No background tasks.', columns, '…'), 'dim')];
	return commands.slice(top, top + roomOf(height)).map(({id, command, since}, index) => {
		const lead = `${sanitizeLine(id)}  ${pad(formatDuration(now - since), durationCells)}  `;
		const label = cut(sanitizeLine(command), Math.max(0, columns - 2 - width(lead)), '…');
		if (top + index === at) return textRow(pad(cut(`❯ ${lead}${label}`, columns), columns), 'selection');
		const facts = {text: cut(lead, Math.max(0, columns - 2)), style: 'dim'} as const;
		return makeRow([{text: cut('  ', columns)}, facts, {text: label}]);
	});
}

const durationCells = 10;

function outputRows({output, below}: OutputView, {columns, height}: TasksFacts): Row[] {
	if (output === undefined) return [textRow(cut('Reading its output…', columns, '…'), 'dim')];
	const rows = outputTextRows(output, columns);
	const room = roomOf(height);
	const last = Math.max(Math.min(rows.length, room), rows.length - below);
	return rows.slice(Math.max(0, last - room), last);
}

function outputTextRows(output: BackgroundOutput | undefined, columns: number): Row[] {
	if (output === undefined) return [];
	if (output.text === '') return [textRow(cut('No output yet.', columns, '…'), 'dim')];
	return output.text.split('\n').flatMap(line => storedRows(line, {columns}));
}
