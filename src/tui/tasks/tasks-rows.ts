import type {BackgroundCommand, BackgroundOutput} from '../../pod/protocol.ts';
import {storedRows} from '../screen/row.ts';
import {sanitizeLine} from '../screen/sanitize.ts';
import {cut, pad, width} from '../screen/width.ts';
import type {Theme} from '../theme.ts';
import {formatBytes, formatDuration} from '../transcript/blocks/format.ts';

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

export type TasksFacts = {readonly columns: number; readonly height: number; readonly theme: Theme; readonly now: number};

/** The page as rows: its title, its contents, and its keys where there is room. All words of a command are untrusted. */
export function tasksRows(view: TasksView, facts: TasksFacts): readonly string[] {
	const {columns, height, theme: {paint}} = facts;
	const body = view.kind === 'list' ? listRows(view, facts) : outputRows(view, facts);
	const title = paint('bold', cut(titleOf(view, facts), columns, '…'));
	const keys = paint('dim', cut(keysOf(view), columns, '…'));
	const room = roomOf(height);
	const shown = body.slice(0, room);
	const blank = Array.from({length: room - shown.length}, () => '');
	return [title, ...shown, ...(height < leastWithKeys ? [] : [...blank, keys])].slice(0, height);
}

/** Rows for the contents. */
export function roomOf(height: number): number {
	return Math.max(1, height - (height < leastWithKeys ? 1 : 2));
}

type RowWidth = Pick<TasksFacts, 'columns' | 'theme'>;

/** How many rows an output has in all: what can be scrolled. */
export function countOutputRows(output: BackgroundOutput | undefined, width: RowWidth): number {
	return textRows(output, width).length;
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

function listRows({commands, at, top}: ListView, {columns, height, theme: {paint}, now}: TasksFacts): string[] {
	if (commands.length === 0) return [paint('dim', cut('No background tasks.', columns, '…'))];
	return commands.slice(top, top + roomOf(height)).map(({id, command, since}, index) => {
		const lead = `${sanitizeLine(id)}  ${pad(formatDuration(now - since), durationCells)}  `;
		const label = cut(sanitizeLine(command), Math.max(0, columns - 2 - width(lead)), '…');
		if (top + index === at) return paint('selection', pad(cut(`❯ ${lead}${label}`, columns), columns));
		return cut('  ', columns) + paint('dim', cut(lead, Math.max(0, columns - 2))) + label;
	});
}

const durationCells = 10;

function outputRows({output, below}: OutputView, {columns, height, theme}: TasksFacts): string[] {
	if (output === undefined) return [theme.paint('dim', cut('Reading its output…', columns, '…'))];
	const rows = textRows(output, {columns, theme});
	const room = roomOf(height);
	const last = Math.max(Math.min(rows.length, room), rows.length - below);
	return rows.slice(Math.max(0, last - room), last);
}

function textRows(output: BackgroundOutput | undefined, {columns, theme}: RowWidth): string[] {
	if (output === undefined) return [];
	if (output.text === '') return [theme.paint('dim', cut('No output yet.', columns, '…'))];
	return output.text.split('\n').flatMap(line => storedRows(line, {columns, theme}).map(row => row.ansi));
}
