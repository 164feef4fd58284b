import {describe, expect, it} from 'vitest';
import {learnNews} from '../../../../src/screen/control/first-screen/first-screen-keys.ts';
import type {FirstNews, FirstScreen} from '../../../../src/screen/model/first-screen/first-screen-state.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import type {App} from '../../../../src/screen/control/app.ts';
import {pressKey} from '../../../../src/screen/control/keys/keys-in.ts';
import {fakeApp, fakePod, idle, session} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const looking: FirstScreen = {version: '1.2.3', looksForModel: true};
const recent = [
	{id: '01A', words: 'Fix the total of the cart', age: '2 h ago'},
	{id: '01B', words: '', age: '3 d ago'},
];

/** Tells the news, and draws a frame with them. */
function tell(app: App, news: FirstNews): void {
	learnNews(app, news);
	draw(app, {columns: 80, rows: 24});
}

async function chat(model = 'offline') {
	let now = 0;
	const pod = fakePod();
	const switched: unknown[] = [];
	const {app} = await fakeApp(pod, {
		firstScreen: looking,
		now: () => now,
		async onSwitch(to) {
			switched.push(to);
			return {ok: true, leave() {}};
		},
	});
	pod.emit({type: 'snapshot', session: {...session, model}, items: [], tail: [], status: idle});
	const key = (name: string, alone = true, alt = false) =>
		pressKey(
			app,
			{name, ctrl: false, alt, shift: false, super: false, ...(name.length === 1 && !alt && {text: name})},
			{alone, repeat: false, bare: false},
		);
	return {app, pod, switched, key, wait: (ms: number) => (now += ms)};
}

const models = (pod: ReturnType<typeof fakePod>) => pod.said.filter(({method}) => method === 'model');

describe('Enter on the first screen', () => {
	it('switches to the offered model', async () => {
		const {app, pod, key, wait} = await chat();
		tell(app, {localModels: ['ollama/a', 'ollama/b']});
		wait(400);
		key('enter');
		await expect.poll(() => models(pod), {timeout: 15_000}).toEqual([{method: 'model', name: 'ollama/a'}]);
		await expect.poll(() => app.state.alerts.at(-1)?.alert.text).toContain('/model, then Ctrl+S');
	});

	it('does nothing right after the offer appeared, with other keys in one read, or while held', async () => {
		const {app, pod, key, wait} = await chat();
		tell(app, {localModels: ['ollama/a']});
		wait(399);
		key('enter');
		wait(1000);
		key('enter', false);
		wait(1000);
		key('enter', false);
		key('enter');
		await Promise.resolve();
		expect(app.state.keys.hold).toBeUndefined();
		expect(models(pod)).toEqual([]);
	});

	it('does nothing before a frame has shown the offer', async () => {
		const {app, pod, key, wait} = await chat();
		learnNews(app, {localModels: ['ollama/a']});
		wait(1000);
		key('enter');
		expect(app.state.keys.hold).toBeUndefined();
		expect(models(pod)).toEqual([]);
	});

	it('sends what you typed', async () => {
		const {app, pod, key, wait} = await chat();
		tell(app, {localModels: ['ollama/a']});
		wait(1000);
		key('h');
		key('enter');
		await expect.poll(() => pod.said.map(({method}) => method)).toContain('run');
		expect(models(pod)).toEqual([]);
	});

	it('does nothing for an offer that comes too late: with another model, or in a session that has begun', async () => {
		const {app, pod, key, wait} = await chat('test/model');
		tell(app, {localModels: ['ollama/a']});
		wait(1000);
		key('enter');
		expect(app.state.keys.hold).toBeUndefined();
		const begun = await chat();
		const make = createItems();
		for (const item of [make.user('question'), make.end()]) begun.pod.emit({type: 'item', item});
		tell(begun.app, {localModels: ['ollama/a']});
		begun.wait(1000);
		begun.key('enter');
		expect(begun.app.state.keys.hold).toBeUndefined();
		expect([...models(pod), ...models(begun.pod)]).toEqual([]);
	});
});

describe('a model that is found after the session has begun', () => {
	it('is told once, as an alert', async () => {
		const {app, pod} = await chat();
		const make = createItems();
		for (const item of [make.user('question'), make.end()]) pod.emit({type: 'item', item});
		tell(app, {localModels: ['ollama/a']});
		expect(app.state.alerts.map(({alert}) => alert.text)).toEqual([
			'ollama/a runs on this machine. To use it: /model ollama/a',
		]);
	});
});

describe('the key of a recent session', () => {
	it('opens that session', async () => {
		const {app, switched, key} = await chat();
		tell(app, {recent});
		key('2', true, true);
		await expect.poll(() => switched, {timeout: 15_000}).toEqual([{kind: 'id', id: '01B'}]);
	});

	it('does nothing without such a session, and once the session has begun', async () => {
		const {app, pod, switched, key} = await chat();
		tell(app, {recent: recent.slice(0, 1)});
		key('2', true, true);
		const make = createItems();
		for (const item of [make.user('question'), make.end()]) pod.emit({type: 'item', item});
		key('1', true, true);
		await Promise.resolve();
		expect(app.state.keys.hold).toBeUndefined();
		expect(switched).toEqual([]);
	});
});
