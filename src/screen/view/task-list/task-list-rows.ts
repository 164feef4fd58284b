import type {Task} from '../../../pod/protocol.ts';
import {showChord} from '../../model/keys/keymap.ts';
import type {AppState} from '../../model/app-state.ts';
import {statusOf} from '../../model/selectors.ts';
import {makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {taskSigns} from '../../../transcript/lists/task-signs.ts';
import {cut, width} from '../../../text/width.ts';
import {tasksIn} from '../../../transcript/lists/latest-tasks.ts';
import {t} from '../../../language/index.ts';

/**
Returns the rows of the task list above the status line, while a run is in progress and a task is not done. The list has
at most five rows. The expanded list has at most half of the rows of the screen. In a small terminal the list is one
row.
*/
export function taskListRows(state: AppState): readonly Row[] {
	const {setup} = state;
	const {store: transcript} = state.transcript;
	const {size} = state.terminal;
	const {isTaskListOpen} = state.display;
	if (transcript === undefined || setup.isSpoken === true || statusOf(state).kind !== 'running') return none;
	const tasks = tasksIn(transcript.transcript.folded);
	if (tasks.every(task => task.state === 'done')) return none;
	const maxRows = isTaskListOpen ? Math.max(2, Math.floor(size.rows / 2)) : collapsedRows(size.rows);
	const key = `${size.columns} ${maxRows} ${isTaskListOpen}`;
	const known = made.get(tasks);
	if (known?.key === key) return known.rows;
	const chord = setup.keymap.chords('expand tasks').slice(0, 1).map(showChord).join('');
	const rows = listRows(tasks, {columns: size.columns, maxRows, isOpen: isTaskListOpen, chord});
	made.set(tasks, {key, rows});
	return rows;
}

/** Returns the whole list as lines for a screen reader. */
export function spokenTasks({transcript: {store: transcript}}: Pick<AppState, 'transcript'>): string {
	const tasks = transcript === undefined ? [] : tasksIn(transcript.transcript.folded);
	if (tasks.length === 0) return noTasks;
	const done = tasks.filter(({state}) => state === 'done').length;
	const lines = tasks.map(({text, state}) => taskLine(state, sanitizeLine(text)));
	return [progressText({done, count: tasks.length, now: ''}), ...lines].join('\n');
}

const none: readonly Row[] = [];

/** The cached rows of each list, for the last size. */
const made = new WeakMap<readonly Task[], {readonly key: string; readonly rows: readonly Row[]}>();

function collapsedRows(rows: number): number {
	if (rows >= 30) return 5;
	return rows >= 20 ? 3 : 1;
}

type ListFacts = {
	readonly columns: number;
	readonly maxRows: number;
	readonly isOpen: boolean;
	readonly chord: string;
};

function listRows(tasks: readonly Task[], {columns, maxRows, isOpen, chord}: ListFacts): readonly Row[] {
	const done = tasks.filter(({state}) => state === 'done').length;
	const now = tasks.findIndex(({state}) => state === 'in_progress');
	const listed = isOpen ? tasks : tasks.filter(({state}) => state !== 'done');
	const isWhole = listed.length < maxRows;
	const room = isWhole ? listed.length : Math.max(0, maxRows - 2);
	const around = isOpen && !isWhole ? Math.max(0, now - Math.floor(room / 2)) : 0;
	const first = Math.min(around, listed.length - room);
	const shown = maxRows === 1 ? [] : listed.slice(first, first + room);
	const left = listed.length - shown.length;
	const head = progressText({done, count: tasks.length, now: sanitizeLine(tasks[now]?.text ?? '')});
	const hint = isOpen || (isWhole && done === 0) || chord === '' ? '' : openHint(chord);
	return [
		headRow(head, hint, columns),
		...shown.map(task => taskRow(task, columns)),
		...(isWhole || maxRows === 1 ? [] : [textRow(cut(moreTasks(left), columns, '…'), 'dim')]),
	];
}

function headRow(text: string, hint: string, columns: number): Row {
	const room = columns - width(hint);
	const fits = room >= columns / 2;
	return makeRow([
		{text: cut(text, fits ? room : columns, '…'), style: 'info'},
		...(fits && hint !== '' ? [{text: hint, style: 'dim' as const}] : []),
	]);
}

function taskRow({text, state}: Task, columns: number): Row {
	const {glyph, style} = taskSigns[state];
	const line = cut(sanitizeLine(text), Math.max(0, columns - 4), '…');
	return makeRow([{text: line, ...(state === 'in_progress' ? {} : {style: 'dim' as const})}], 'text', {
		text: `  ${glyph} `,
		style,
	});
}

/** The progress of a task list. `now` is already sanitized. */
function progressText({done, count, now}: {readonly done: number; readonly count: number; readonly now: string}) {
	return t`${done} of ${count}${now === '' ? '' : t` · now: ${now}`}`;
}

function openHint(chord: string): string {
	return t` · ${chord} for all tasks`;
}

const noTasks = t`No task list.`;

/** A task for a screen reader. `text` is already sanitized. */
function taskLine(state: Task['state'], text: string): string {
	return `${taskStates[state]}: ${text}`;
}

const taskStates = {done: t`done`, in_progress: t`now`, pending: t`to do`} as const;

function moreTasks(count: number): string {
	return t`    … ${count} more`;
}
