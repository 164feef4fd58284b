import {describe, expect, it} from 'vitest';
import type {Status, ToolCall} from '../../../../src/pod/protocol.ts';
import {activityOf, runningTimes} from '../../../../src/screen/view/status/activity-facts.ts';
import {pressKey} from '../../../../src/screen/control/keys/keys-in.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {makeKey} from '../../../../src/screen/terminal/input/keys/key-names.ts';
import {fakeApp, fakePod, running, settled} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const make = createItems();

/** Returns an app in which these calls run since the time 0. `now` is the time of its clock. */
async function appWith(calls: readonly ToolCall[], change: Partial<Status> = {}, now = 0) {
	const {app, pod} = await fakeApp(fakePod(), {now: () => now});
	for (const item of [make.user('go'), ...calls]) pod.emit({type: 'item', item});
	const started = calls.map(({callId}) => ({callId, since: 0}));
	pod.emit({type: 'status', status: {...running, step: 'tools', since: 0, calls: started, ...change}});
	return {app, pod};
}

let calls = 0;
const call = (name: string, args: unknown) => make.call(`c${++calls}`, name, args);
const bash = (command: string) => call('bash', {command});
const read = (path: string) => call('read_file', {path});
const edit = (path: string) => call('edit_file', {path, edits: []});
const grep = (pattern: string) => call('grep', {pattern});

describe('the activity of a run', () => {
	it.each([
		['a command', [bash('npm test')], 'Running npm test'],
		['the first line of a command', [bash('npm test\nnpm run build')], 'Running npm test'],
		['a file that is read', [read('src/a.ts')], 'Reading src/a.ts'],
		['a file that is changed', [edit('src/a.ts')], 'Editing src/a.ts'],
		['a search', [grep('TODO')], 'Searching TODO'],
		['a tool of an MCP server', [call('mcp__jira__find', {query: 'bug'})], 'Running jira: find bug'],
		['several files', [read('a'), read('b'), read('c')], 'Reading 3 files'],
		['several commands', [bash('a'), bash('b')], 'Running 2 commands'],
		['different tools', [bash('a'), read('b')], 'Running 2 tools'],
		['a hostile command', [bash('\u001b[2Jx')], 'Running ␛[2Jx'],
		['a long command', [bash('x'.repeat(99))], `Running ${'x'.repeat(39)}…`],
	])('names %s', async (_name, calls, words) => {
		const {app} = await appWith(calls);
		expect(activityOf(app.state)?.text).toBe(words);
	});

	it.each([
		['a command', [bash('npm test')], {}, 'Detaching when npm test ends'],
		['several tools', [bash('a'), read('b')], {}, 'Detaching when the last tool ends'],
		['the answer', [], {step: 'streaming'}, 'Detaching when the answer ends'],
	] as const)('names what a detach waits for: %s', async (_name, calls, change, words) => {
		const {app} = await appWith(calls, change);
		app.dispatch({type: 'detach', isDetaching: true});
		expect(activityOf(app.state)?.text).toBe(words);
	});

	it('leaves out a call that has its result', async () => {
		const calls = [bash('npm test'), read('a.ts')];
		const {app, pod} = await appWith(calls);
		pod.emit({type: 'item', item: make.result(calls[1]!.callId, '1 line', 'body')});
		expect(activityOf(app.state)?.text).toBe('Running npm test');
	});

	it('names a command that has printed something', async () => {
		const test = bash('npm test');
		const {app, pod} = await appWith([test]);
		const begin = make.result(test.callId, '', '');
		pod.emit({type: 'delta', id: begin.id, text: 'ok 1', begin});
		expect(activityOf(app.state)?.text).toBe('Running npm test');
	});

	it.each([
		['requesting', 'Waiting for model'],
		['streaming', 'Answering'],
		['compacting', 'Compacting'],
		['resolving', 'Reading files'],
	] as const)('is, at the step %s, %s', async (step, words) => {
		const {app} = await appWith([], {step});
		expect(activityOf(app.state)?.text).toBe(words);
	});

	it.each([
		['a later request, for a long time', 30_000, 110_000, 'Waiting 1 min 20 s for model'],
		['a later request, for a short time', 30_000, 39_000, 'Waiting for model'],
		['the first request, whose time is that of the turn', 0, 80_000, 'Waiting for model'],
	])('says how long it waits for %s', async (_name, requestedAt, now, words) => {
		const {app} = await appWith([], {step: 'requesting', since: 0, requestedAt}, now);
		expect(activityOf(app.state)?.text).toBe(words);
	});

	it('is Thinking while the model thinks, with the estimated tokens in steps of hundred', async () => {
		const {app, pod} = await appWith([], {step: 'streaming'});
		const begin = make.reasoning('');
		pod.emit({type: 'delta', id: begin.id, text: 'x'.repeat(999), begin});
		expect(activityOf(app.state)).toEqual({text: 'Thinking', short: 'Thinking', received: '≈200 tokens'});
	});

	it('is absent while nothing runs or a question waits', async () => {
		const ask = {id: 'q', title: 'Run it?', detail: '', choices: []};
		for (const change of [{kind: 'idle'}, {asks: [ask]}] as const)
			expect(activityOf((await appWith([bash('a')], change)).app.state)).toBeUndefined();
	});
});

describe('the time of a running call', () => {
	it('is shown from the first second on, and no longer after the result', async () => {
		const test = bash('npm test');
		const shown = async (now: number) => [...runningTimes((await appWith([test], {}, now)).app.state).values()];
		expect([await shown(999), await shown(1000), await shown(75_500)]).toEqual([
			[],
			[{time: ' · 1 s', hint: ''}],
			[{time: ' · 1 min 15 s', hint: ' · Ctrl+B to background'}],
		]);
		const {app, pod} = await appWith([test], {}, 5000);
		pod.emit({type: 'item', item: make.result(test.callId, 'exit 0', 'ok')});
		expect(runningTimes(app.state).size).toBe(0);
	});

	it('follows the last row of a title that takes several rows', async () => {
		const {app} = await appWith([bash('echo '.repeat(13))], {}, 11_000);
		const {rows} = draw(app, {columns: 60, rows: 20}).transcript;
		const title = rows.map(({row}) => plainText(row)).filter(text => text.includes('echo'));
		expect(title).toHaveLength(2);
		expect(title[0]).not.toContain('11 s');
		expect(title[1]).toMatch(/ · running · 11 s · Ctrl\+B to background$/);
	});

	it('names the command in place of the key while you write a message, where the key moves the cursor', async () => {
		const {app, pod} = await appWith([bash('npm test')], {}, 75_500);
		const pressCtrlB = () => pressKey(app, makeKey('b', {ctrl: true}));
		pressCtrlB();
		await settled();
		expect(pod.said).toEqual([{method: 'move_to_background'}]);
		pressKey(app, makeKey('x', {text: 'x'}));
		pressCtrlB();
		await settled();
		expect(pod.said).toHaveLength(1);
		expect([...runningTimes(app.state).values()]).toMatchObject([{hint: ' · /background to background'}]);
	});
});
