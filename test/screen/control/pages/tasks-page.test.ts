import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {BackgroundCommand, BackgroundOutput, Status} from '../../../../src/pod/protocol.ts';
import {leave} from '../../../../src/screen/control/app.ts';
import {cellsOf} from '../../../../src/screen/spans/row.ts';
import {pageRows} from '../../../../src/screen/view/pages/page-rows.ts';
import {tasksPage} from '../../../../src/screen/model/pages/tasks-state.ts';
import {fakeApp, fakePod, idle, settled, until} from '../../../helpers/fake-app.ts';

const now = 125_000;
const dev: BackgroundCommand = {id: 'qy4261', call: 'i1', command: 'npm run dev', since: 0};
const watch: BackgroundCommand = {id: 'ab12cd', call: 'i2', command: 'npm run watch \u001b[2J…', since: 119_000};
const withTasks = (...background: readonly BackgroundCommand[]): Status => ({
	...idle,
	...(background.length > 0 && {background}),
});
const outputOf = (text: string): BackgroundOutput => ({text, bytes: text.length, file: '/s/output/x.txt'});

async function page(
	background: readonly BackgroundCommand[] = [dev, watch],
	outputs: Readonly<Record<string, BackgroundOutput>> = {},
) {
	const pod = {...fakePod(withTasks(...background)), backgroundOutput: async (id: string) => outputs[id]};
	const made = await fakeApp(pod, {now: () => now});
	made.app.dispatch({type: 'open page', page: tasksPage()});
	return {
		...made,
		lines: (columns = 60, rows = 13) => made.rows(columns, rows).map(line => line.trimEnd()),
		methods: () => pod.said,
	};
}

describe('the page of background tasks', () => {
	it('lists each task with its id, time and command, and shows its keys', async () => {
		const {lines} = await page();
		expect(lines()).toEqual([
			'Child sessions and background commands',
			'❯ qy4261  2 min 5 s   npm run dev',
			'  ab12cd  6.0 s       npm run watch ␛[2J…',
			'',
			'',
			'',
			'',
			'',
			'',
			'Enter open · x stop · w wake model · Esc close',
		]);
	});

	it('shows a note when there are no tasks', async () => {
		expect((await page([])).lines().filter(line => line !== '')).toEqual([
			'Child sessions and background commands',
			'No child sessions and no background commands.',
			'Esc close',
		]);
	});

	it('stops the chosen task on x, and shows an alert', async () => {
		const {press, type, methods, told} = await page();
		press('down');
		type('x');
		await settled();
		expect([methods(), told()]).toEqual([
			[{method: 'stop_background', background: 'ab12cd'}],
			['Stopped background task ab12cd.'],
		]);
	});

	it('makes the end of a task wake the model on w, and no longer on the next w', async () => {
		const {press, type, methods, told, turn, lines} = await page();
		type('w');
		await settled();
		expect([methods().at(-1), told()]).toEqual([
			{method: 'wake_background', background: 'qy4261', wakes: true},
			['A turn begins when background task qy4261 ends.'],
		]);
		turn(withTasks({...dev, wakes: true}, watch));
		expect(lines()[1]).toBe('❯ qy4261  2 min 5 s   wakes the model · npm run dev');
		press('enter');
		await settled();
		expect(lines()[0]).toBe('qy4261 · 2 min 5 s · wakes the model · npm run dev');
		type('w');
		await settled();
		expect([methods().at(-1), told()]).toEqual([
			{method: 'wake_background', background: 'qy4261', wakes: false},
			['The model learns in the next turn that qy4261 has ended.'],
		]);
	});

	it('shows why a task could not be stopped', async () => {
		const {pod, type, told} = await page();
		pod.answer = async () => ({
			accepted: false,
			code: 'no_such_command',
			sentence: 'Background command qy4261 is not running.',
		});
		type('x');
		await settled();
		expect(told()).toEqual(['Background command qy4261 is not running.']);
	});

	it('opens the end of an output on Enter, scrolls it, returns on Esc, and closes on the next Esc', async () => {
		const {press, lines, app} = await page(undefined, {
			qy4261: outputOf(Array.from({length: 30}, (_, n) => `line ${n + 1}`).join('\n')),
		});
		press('enter');
		await until(() => lines().includes('line 30'));
		expect(lines()).toEqual([
			'qy4261 · 2 min 5 s · 230 B · npm run dev',
			...Array.from({length: 8}, (_, n) => `line ${n + 23}`),
			'x stop · w wake model · ↑↓ PgUp PgDn scroll · Esc back',
		]);
		press('up');
		expect(lines().slice(1, 3)).toEqual(['line 22', 'line 23']);
		press('home');
		expect(lines()[1]).toBe('line 1');
		press('end');
		expect(lines()).toContain('line 30');
		press('escape');
		expect(lines()[0]).toBe('Child sessions and background commands');
		press('escape');
		expect(app.state.page).toBeUndefined();
	});

	it('keeps the output of an ended command, and no longer offers to stop it', async () => {
		const {press, lines, turn} = await page(undefined, {qy4261: outputOf('\u001b[31mup\u0007')});
		press('enter');
		await until(() => lines().some(line => line.includes('up')));
		turn(withTasks(watch));
		expect(lines().filter(line => line !== '')).toEqual([
			'qy4261 · ended · 8 B · npm run dev',
			'␛[31mup␇',
			'↑↓ PgUp PgDn scroll · Esc back',
		]);
	});

	it.each([
		[20, 4],
		[40, 10],
		[60, 15],
		[120, 40],
	])('fits %i columns and %i rows', async (columns, rows) => {
		const many = Array.from({length: 8}, (_, n) => ({...watch, id: `id${n}日`, command: '日本語 '.repeat(30)}));
		const {press, app} = await page(many, {id7日: outputOf('日本語'.repeat(200))});
		for (const open of [false, true]) {
			press('end');
			if (open) press('enter');
			await settled();
			const drawn = pageRows(app.state, columns, rows)!;
			expect(drawn.length).toBeLessThanOrEqual(rows);
			for (const row of drawn) expect(cellsOf(row)).toBeLessThanOrEqual(columns);
		}
	});

	it('keeps typed text out of the message', async () => {
		const {type, draft} = await page();
		type('abc');
		expect(draft()).toEqual([]);
	});
});

describe('the output of an open task', () => {
	beforeEach(() => void vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']}));
	afterEach(() => void vi.useRealTimers());

	async function reading() {
		let reads = 0;
		const pod = {...fakePod(withTasks(dev, watch)), backgroundOutput: async () => outputOf(`read ${++reads}`)};
		const made = await fakeApp(pod, {now: () => now});
		made.app.dispatch({type: 'open page', page: tasksPage()});
		made.press('enter');
		await settled();
		const pass = async (seconds: number) => {
			vi.advanceTimersByTime(seconds * 1000);
			await settled();
		};
		return {...made, pass, reads: () => reads};
	}

	it('is read again every second while the command runs', async () => {
		const {rows, turn, pass, reads} = await reading();
		expect(rows()[1]).toBe('read 1');
		await pass(2);
		expect([rows()[1], reads()]).toEqual(['read 3', 3]);
		turn(withTasks(watch));
		await pass(5);
		expect(reads()).toBe(3);
	});

	it.each<[string, (made: Awaited<ReturnType<typeof reading>>) => void]>([
		['the list is shown again', ({press}) => press('escape')],
		['the page is closed', ({press}) => press('q', {text: 'q'})],
		['the screen is left', ({app}) => app.dispatch({type: 'leave screen'})],
	])('is no longer read when %s', async (_, end) => {
		const made = await reading();
		end(made);
		await made.pass(5);
		expect(made.reads()).toBe(1);
	});

	it('leaves no timer when the page is closed', async () => {
		const {press} = await reading();
		expect(vi.getTimerCount()).toBe(1);
		press('q', {text: 'q'});
		expect(vi.getTimerCount()).toBe(0);
	});
});

describe('a request to leave the screen', () => {
	async function leaving(background: readonly BackgroundCommand[], accepted: boolean) {
		let quits = 0;
		const pod = fakePod(withTasks(...background));
		const made = await fakeApp(pod, {onQuit: () => void quits++});
		pod.answer = async ({method}) =>
			method === 'leave' && !accepted ? {accepted: false, code: 'aborted', sentence: ''} : {accepted: true};
		return {...made, methods: () => pod.said.map(({method}) => method), quits: () => quits};
	}

	it.each<[string, readonly BackgroundCommand[], boolean, readonly string[], number]>([
		['asks nothing when nothing runs in the background', [], true, ['shutdown'], 1],
		['asks while a command runs, and leaves when you approve', [dev], true, ['leave', 'shutdown'], 1],
		['asks while a command runs, and stays when you decline', [dev], false, ['leave'], 0],
	])('%s', async (_, background, accepted, methods, quits) => {
		const ways: ReadonlyArray<(made: Awaited<ReturnType<typeof leaving>>) => void> = [
			({press}) => press('d', {ctrl: true}),
			({press}) => {
				press('c', {ctrl: true});
				press('c', {ctrl: true});
			},
			({app}) => void leave(app),
		];
		for (const way of ways) {
			const made = await leaving(background, accepted);
			way(made);
			await settled();
			expect([made.methods(), made.quits(), made.app.state.lifecycle.quitting]).toEqual([
				methods,
				quits,
				quits === 1,
			]);
		}
	});
});
