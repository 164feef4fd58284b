import {childWords, childrenOf} from '../status/activity-facts.ts';
import type {BackgroundCommand, BackgroundOutput, ChildStatus} from '../../../pod/protocol.ts';
import {blankRow, chosenRow, makeRow, storedRows, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, pad, width} from '../../../text/width.ts';
import {formatBytes, formatDuration} from '../../../text/formats.ts';
import {backgroundOf} from '../../model/selectors.ts';
import type {AppState} from '../../model/app-state.ts';
import {withinList, type ListState} from '../../model/pages/list.ts';
import type {PageSize} from './page-size.ts';
import type {OpenedOutput, TasksPage} from '../../model/pages/tasks-state.ts';
import {
	loadingOutput,
	noOutputYet,
	noTasks,
	pageHints,
	pageTitles,
	taskEnded,
	wakesMark,
} from '../../model/pages/texts.ts';

/** Returns the title, the contents, and the keys if they fit. All texts of commands are untrusted. */
export function tasksPageRows({list, opened}: TasksPage, size: PageSize, state: AppState): readonly Row[] {
	const {title, body, keys} = opened === undefined ? viewList(list, size, state) : viewOutput(opened, size, state);
	const {columns, height} = size;
	const room = roomOf(height);
	const shown = body.slice(0, room);
	const blank = Array.from({length: room - shown.length}, () => blankRow);
	const foot = height < minWithKeys ? [] : [...blank, textRow(cut(keys, columns, '…'), 'dim')];
	return [textRow(cut(title, columns, '…'), 'bold'), ...shown, ...foot].slice(0, height);
}

/** Returns the number of rows of the contents. */
export function roomOf(height: number): number {
	return Math.max(1, height - (height < minWithKeys ? 1 : 2));
}

/** Returns the number of rows of an output, which limits how far it can scroll. */
export function countOutputRows(output: BackgroundOutput | undefined, columns: number): number {
	return outputTextRows(output, columns).length;
}

/** An entry of the list: a child session or a background command. */
export type TaskEntry =
	| {readonly kind: 'child'; readonly child: ChildStatus}
	| {readonly kind: 'command'; readonly command: BackgroundCommand};

/** Returns the child sessions and the background commands that are running now. */
export function tasksOf(state: AppState): readonly TaskEntry[] {
	return [
		...childrenOf(state).map(child => ({kind: 'child', child}) as const),
		...backgroundOf(state).map(command => ({kind: 'command', command}) as const),
	];
}

const minWithKeys = 4;

type View = {readonly title: string; readonly body: readonly Row[]; readonly keys: string};

function viewList(list: ListState, {columns, height}: PageSize, state: AppState): View {
	const title = pageTitles.tasks;
	const tasks = tasksOf(state);
	if (tasks.length === 0) {
		return {title, body: [textRow(cut(noTasks, columns, '…'), 'dim')], keys: pageHints.close};
	}
	const room = roomOf(height);
	const {at, top} = withinList(list, tasks.length, room);
	const body = tasks.slice(top, top + room).map((task, index) => {
		const facts = {columns, now: state.now, isChosen: top + index === at};
		return task.kind === 'child' ? childRow(task.child, facts) : taskRow(task.command, facts);
	});
	return {title, body, keys: [pageHints.open, pageHints.stop, pageHints.wake, pageHints.close].join(' · ')};
}

type TaskFacts = {readonly columns: number; readonly now: number; readonly isChosen: boolean};

function taskRow({id, command, since, wakes}: BackgroundCommand, {columns, now, isChosen}: TaskFacts): Row {
	const mark = wakes === true ? `${wakesMark} · ` : '';
	const lead = `${sanitizeLine(id)}  ${pad(formatDuration(now - since), durationCells)}  ${mark}`;
	const label = cut(sanitizeLine(command), Math.max(0, columns - 2 - width(lead)), '…');
	if (isChosen) return chosenRow(`${lead}${label}`, columns);
	const facts = {text: cut(lead, Math.max(0, columns - 2)), style: 'dim'} as const;
	return makeRow([{text: cut('  ', columns)}, facts, {text: label}]);
}

function childRow(child: ChildStatus, {columns, now, isChosen}: TaskFacts): Row {
	const facts = [...(child.wakes === true ? [wakesMark] : []), ...childWords(child, now)];
	const label = cut(`${sanitizeLine(child.title)} · ${facts.join(' · ')}`, Math.max(0, columns - 2), '…');
	return isChosen ? chosenRow(label, columns) : makeRow([{text: cut('  ', columns)}, {text: label}]);
}

const durationCells = 10;

function viewOutput({command: opened, output, below}: OpenedOutput, size: PageSize, state: AppState): View {
	const {id, command, since} = opened;
	const task = backgroundOf(state).find(running => running.id === id);
	const time = task !== undefined ? formatDuration(state.now - since) : taskEnded;
	const bytes = output === undefined ? [] : [formatBytes(output.bytes)];
	return {
		title: [id, time, ...bytes, ...(task?.wakes === true ? [wakesMark] : []), command]
			.map(sanitizeLine)
			.join(' · '),
		body: outputRows(output, below, size),
		keys: [
			...(task !== undefined ? [pageHints.stop, pageHints.wake] : []),
			pageHints.scroll,
			pageHints.backToList,
		].join(' · '),
	};
}

function outputRows(output: BackgroundOutput | undefined, below: number, {columns, height}: PageSize): readonly Row[] {
	if (output === undefined) return [textRow(cut(loadingOutput, columns, '…'), 'dim')];
	const rows = outputTextRows(output, columns);
	const room = roomOf(height);
	const last = Math.max(Math.min(rows.length, room), rows.length - below);
	return rows.slice(Math.max(0, last - room), last);
}

function outputTextRows(output: BackgroundOutput | undefined, columns: number): Row[] {
	if (output === undefined) return [];
	if (output.text === '') return [textRow(cut(noOutputYet, columns, '…'), 'dim')];
	return output.text.split('\n').flatMap(line => storedRows(line, {columns}));
}
