import {describe, expect, it} from 'vitest';
import type {Task} from '../../../../src/pod/protocol.ts';
import {layoutOf} from '../../../../src/screen/view/layout.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {taskListRows} from '../../../../src/screen/view/task-list/task-list-rows.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {fakeApp, fakePod, idle, running} from '../../../helpers/fake-app.ts';
import type {TestOptions} from '../../../helpers/test-app.ts';
import {createItems} from '../../../helpers/items.ts';

const list: readonly Task[] = ['done', 'in_progress', 'pending', 'pending', 'pending', 'pending'].map(
	(state, index) => ({
		text: `task ${index + 1}`,
		state: state as Task['state'],
	}),
);

async function stage(rows: number, tasks = list, options: TestOptions = {}) {
	const make = createItems();
	const items = [make.user('go'), make.call('a', 'tasks', {}), {...make.result('a', 'ok', 'ok'), details: {tasks}}];
	const made = await fakeApp(fakePod(running, items), options);
	const shown = () => draw(made.app, {columns: 60, rows}).tasks.map(plainText);
	return {...made, shown};
}

describe('the task list above the status line', () => {
	it('shows the tasks that are left in five rows, and all of them after a key', async () => {
		const {shown, press} = await stage(40);
		expect(shown()).toEqual([
			'1 of 6 · now: task 2 · Ctrl+T for all tasks',
			'  ◔ task 2',
			'  ◦ task 3',
			'  ◦ task 4',
			'    … 2 more',
		]);
		press('t', {ctrl: true});
		expect(shown()).toHaveLength(7);
		expect(shown()[1]).toBe('  ● task 1');
		press('t', {ctrl: true});
		expect(shown()).toHaveLength(5);
	});

	it('is read once to a screen reader, as a whole', async () => {
		const {press, told, shown} = await stage(40, [...list.slice(0, 2), {text: 'a\u001b[2Jb', state: 'pending'}], {
			isSpoken: true,
		});
		expect(shown()).toEqual([]);
		press('t', {ctrl: true});
		expect(told()).toEqual(['1 of 3\ndone: task 1\nnow: task 2\nto do: a␛[2Jb']);
	});

	it.each([
		[29, 3],
		[19, 1],
	])('takes fewer rows in a terminal of %i rows', async (rows, count) => {
		expect((await stage(rows)).shown()).toHaveLength(count);
	});

	it('is hidden when nothing runs, and when every task is done', async () => {
		const {shown, turn} = await stage(40);
		turn(idle);
		expect(shown()).toEqual([]);
		expect((await stage(40, [{text: 'a', state: 'done'}])).shown()).toEqual([]);
	});

	it('is inert, and drawn once for each list', async () => {
		const {app, shown} = await stage(40, [{text: 'a\u001B[31mb\nc', state: 'in_progress'}]);
		expect(shown().join('')).not.toMatch(/[\u001B\n]/u);
		expect(taskListRows(app.state)).toBe(taskListRows({...app.state}));
		expect(layoutOf(app.state).tasks).toHaveLength(2);
	});
});
