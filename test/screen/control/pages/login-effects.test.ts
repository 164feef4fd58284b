import {describe, expect, it} from 'vitest';
import type {ModelInfo, Receipt} from '../../../../src/pod/protocol.ts';
import {pasteText} from '../../../../src/screen/control/keys/keys-in.ts';
import {fakeApp, fakePod, paused, settled, until} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const key = 'sk-FAKE-screen-1234567890';
const models: readonly ModelInfo[] = [
	{name: 'test/model', provider: 'test', efforts: []},
	{name: 'openai/gpt', provider: 'openai', efforts: []},
	{name: 'ollama/q', provider: 'ollama', efforts: [], isLocal: true},
];

async function opened({
	command = '/login',
	receipt = {accepted: true, note: 'The key is stored.'},
	status = paused,
}: {
	readonly command?: string;
	readonly receipt?: Receipt;
	readonly status?: typeof paused;
} = {}) {
	const items = createItems();
	const pod = {
		...fakePod(status, [items.user('Hi')]),
		models: async () => models,
		answer: async ({method}: {readonly method: string}): Promise<Receipt> =>
			method === 'login' ? receipt : {accepted: true},
	};
	const made = await fakeApp(pod, {});
	const refuse = () => {
		made.commit({type: 'run_end', outcome: 'error', cause: 'Invalid API key.', keyRefused: true});
		made.turn(paused);
	};
	if (command !== '') {
		made.type(command);
		made.press('enter');
		await until(() => made.app.state.page !== undefined);
		await settled();
	}
	return {...made, refuse, text: () => made.rows(70, 20).join('\n')};
}

describe('/login', () => {
	it('asks for the key of the model’s provider, and shows a dot for each character', async () => {
		const {type, text, app, draft} = await opened();
		expect(text()).toContain('Key for test');
		type('sk-12');
		pasteText(app, ' 345\n', false);
		expect(text()).toContain('❯ ••••••••\n');
		expect(draft()).toEqual([]);
		expect(JSON.stringify(app.state)).not.toContain('345');
	});

	it('erases characters, and clears the field', async () => {
		const {type, text, press} = await opened();
		type('sk-12');
		press('backspace');
		expect(text()).toContain('❯ ••••\n');
		press('u', {ctrl: true});
		expect(text()).toContain('❯ paste or type the key');
	});

	it('sends the key to the pod, uses it for the current model, and closes', async () => {
		const {type, press, pod, app, told} = await opened();
		type(key);
		press('enter');
		await until(() => app.state.page === undefined);
		await settled();
		expect(pod.said).toEqual([
			{method: 'login', provider: 'test', key},
			{method: 'model', name: 'test/model'},
		]);
		expect(told()).toEqual(['The key is stored.']);
	});

	it('shows why a key was refused, and keeps asking', async () => {
		const receipt = {accepted: false, code: 'key', sentence: 'The key is not stored. No.'} as const;
		const {type, press, pod, text, app} = await opened({receipt});
		type(key);
		press('enter');
		await until(() => text().includes('× The key is not stored. No.'));
		expect(text()).toContain('❯ paste or type the key');
		press('enter');
		await settled();
		expect(pod.said).toHaveLength(1);
		press('escape');
		expect(app.state.page).toBeUndefined();
	});

	it.each(['/login openai', '/login openai sk-FAKE-screen'])('asks for the named provider: %s', async command => {
		const {text} = await opened({command});
		expect(text()).toContain('Key for openai');
	});

	it('does not keep or send what follows it, and says so if it looks like a key', async () => {
		const {text, told, app, draft, press, pod} = await opened({command: `/login ${key}`});
		expect(text()).toContain('Key for test');
		expect(told().join()).toContain('Do not type a key after /login');
		press('escape');
		expect(draft()).toEqual([]);
		press('up');
		expect(draft()).toEqual([{type: 'text', text: '/login'}]);
		expect(pod.said).toEqual([]);
		expect(JSON.stringify(app.state)).not.toContain('FAKE');
	});

	it('lists the providers with Tab', async () => {
		const {press, text, type} = await opened();
		type('abc');
		press('tab');
		expect(text()).toContain('Enter a key for');
		expect(text()).toContain('openai');
		expect(text()).not.toContain('ollama');
		press('up');
		press('enter');
		expect(text()).toContain('Key for openai');
		expect(text()).toContain('paste or type the key');
	});

	it('closes with Escape and Ctrl+C, and forgets the key', async () => {
		const {press, type, app, pod} = await opened();
		type('abc');
		press('c', {ctrl: true});
		expect(app.state.page).toBeUndefined();
		press('l', {alt: true});
		await until(() => app.state.page !== undefined);
		press('enter');
		await settled();
		expect(pod.said).toEqual([]);
	});

	it('gets all keys before a card that appears', async () => {
		const {type, turn, text, app} = await opened();
		const choices = [{choice: 'deny', label: 'No', refuses: true}];
		turn({kind: 'running', queue: [], asks: [{id: 'a', title: 'Run it?', detail: 'x', choices}]});
		type('sk-1');
		pasteText(app, '23', false);
		expect(text()).toContain('❯ ••••••');
		expect(JSON.stringify(app.state)).not.toContain('sk-1');
	});
});

describe('a refused key', () => {
	it('is offered to be replaced with one key, and the turn then continues', async () => {
		const {refuse, text, told, press, type, pod, app} = await opened({command: ''});
		refuse();
		await settled();
		expect(told()).toEqual(['Enter another key with Alt+L or /login, and the turn continues.']);
		press('l', {alt: true});
		await until(() => app.state.page !== undefined);
		await settled();
		expect(text()).toContain('Key for test');
		type(key);
		press('enter');
		await until(() => pod.said.length === 3);
		expect(pod.said).toEqual([
			{method: 'login', provider: 'test', key},
			{method: 'model', name: 'test/model'},
			{method: 'resume'},
		]);
	});

	it('of another provider does not continue the turn', async () => {
		const {type, press, pod, told} = await opened({command: '/login openai'});
		type(key);
		press('enter');
		await until(() => told().length === 2);
		expect(pod.said).toEqual([{method: 'login', provider: 'openai', key}]);
		expect(told()[1]).toBe('Choose a model of openai with /model.');
	});
});
