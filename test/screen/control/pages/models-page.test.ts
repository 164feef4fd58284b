import {describe, expect, it} from 'vitest';
import type {ModelInfo, Receipt} from '../../../../src/pod/protocol.ts';
import {layoutOf} from '../../../../src/screen/view/layout.ts';
import {fakeApp, fakePod, idle, running, settled, until} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const gpt: ModelInfo = {
	name: 'openai/gpt-5',
	provider: 'openai',
	window: 400_000,
	price: {input: 1.25, output: 10},
	keyVariable: 'OPENAI_API_KEY',
	efforts: ['low', 'high'],
};
const claude: ModelInfo = {
	name: 'anthropic/claude',
	provider: 'anthropic',
	label: 'Claude Opus',
	efforts: [],
	missing: 'set ANTHROPIC_API_KEY',
};
const qwen: ModelInfo = {name: 'ollama/qwen3:8b', provider: 'ollama', window: 8192, efforts: [], isLocal: true};

async function opened({receipt, status = idle}: {receipt?: Receipt; status?: typeof idle} = {}) {
	const local = Promise.withResolvers<readonly ModelInfo[]>();
	const items = createItems();
	const pod = {
		...fakePod(status, [items.user('Hi'), items.assistant('Hello.')]),
		models: async (asksLocal?: boolean) => (asksLocal === false ? [gpt, claude] : local.promise),
		...(receipt !== undefined && {answer: async () => receipt}),
	};
	const made = await fakeApp(pod, {});
	made.type('/m');
	made.press('enter');
	await until(() => made.app.state.page !== undefined);
	return {
		...made,
		local,
		said: () => pod.said,
		lines: (columns = 120) => made.rows(columns, 20).map(line => line.trimEnd()),
		keys: (text: string) => Array.from(text).forEach(name => made.press(name, {text: name})),
	};
}

describe('the page of the models', () => {
	it('shows the known models at once, and adds those of local servers', async () => {
		const {lines, local} = await opened();
		const [title, , first, second] = lines();
		expect(title).toBe('Models · 2 · looking for local servers…');
		expect(first).toMatch(/^❯ gpt-5 +openai +400k +\$1\.25\/10 +‹ default › +OPENAI_API_KEY$/);
		expect(second).toMatch(/^ {2}claude +anthropic +set ANTHROPIC_API_KEY$/);
		local.resolve([qwen, gpt, claude]);
		await settled();
		expect(lines().slice(0, 4)).toEqual([
			'Models · 3',
			'❯ type to search',
			expect.stringMatching(/^ {2}qwen3:8b +ollama +8\.2k +on this machine$/),
			expect.stringMatching(/^❯ gpt-5 /),
		]);
	});

	it('finds models by the words of their name, q included, with the cursor in the field', async () => {
		const {app, lines, keys, local} = await opened();
		local.resolve([qwen, gpt, claude]);
		await settled();
		keys('qw');
		expect(lines().slice(0, 3)).toEqual(['Models · 1 of 3', '❯ qw', expect.stringMatching(/^❯ qwen3/)]);
		expect(layoutOf(app.state).cursor).toEqual({x: 4, y: 1});
		keys('x');
		expect(lines()[2]).toBe('No model matches.');
	});

	it('switches with Enter to the chosen effort, and closes', async () => {
		const {app, press, said, told} = await opened();
		press('right');
		press('right');
		press('right');
		press('left');
		press('enter');
		await settled();
		expect(said()).toEqual([{method: 'model', name: 'openai/gpt-5', effort: 'low'}]);
		expect(told()).toEqual(['Model: openai/gpt-5, effort low.']);
		expect(app.state.page).toBeUndefined();
	});

	it('stays open with the reason if the model cannot be used', async () => {
		const {app, press, told} = await opened({
			receipt: {accepted: false, code: 'no_such_model', sentence: 'No key.'},
		});
		press('down');
		press('enter');
		await settled();
		expect([app.state.page?.kind, told()]).toEqual(['models', ['No key.']]);
	});

	it('saves the default with Ctrl+S', async () => {
		const {press, said, told} = await opened();
		press('s', {ctrl: true});
		await settled();
		expect(said()).toEqual([{method: 'save_model', name: 'openai/gpt-5'}]);
		expect(told()).toEqual(['openai/gpt-5 is the default of new sessions now.']);
	});

	it('shows what the switch costs before it', async () => {
		const {lines} = await opened({status: {...idle, context: {tokens: 41_000, exact: true}}});
		expect(lines()).toContain('Prompt cache lost: ~41k tokens will be re-read ($0.05)');
	});

	it('fits into a narrow and low screen', async () => {
		const {rows} = await opened();
		const lines = rows(60, 15).map(line => line.trimEnd());
		expect(lines[2]).toMatch(/^❯ openai\/gpt-5 +400k +\$1\.25\/10$/);
		expect(lines).toContain('effort ‹ default › · OPENAI_API_KEY');
		expect(lines).toContain('Esc close · Enter switch · ←→ effort · Ctrl+S default');
		expect(lines.every(line => line.length <= 60)).toBe(true);
	});
});

describe('the effort', () => {
	const chat = async (status = idle, receipt: Receipt = {accepted: true}) => {
		const pod = {
			...fakePod(status),
			models: async () => [{...gpt, name: 'test/model'}],
			answer: async () => receipt,
		};
		return {...(await fakeApp(pod, {})), said: () => pod.said};
	};

	it('steps to the next level of the model with a key', async () => {
		const {press, said} = await chat({...idle, nextModel: 'test/model', nextEffort: 'high'});
		press('t', {alt: true});
		await settled();
		expect(said()).toEqual([{method: 'model', name: 'test/model', effort: 'low'}]);
	});

	it('says which level is used instead, and when', async () => {
		const chosen = {name: 'test/model', effort: 'high'} as const;
		const {type, press, told} = await chat(running, {accepted: true, chosen});
		type('/effort max');
		press('enter');
		await settled();
		expect(told()).toEqual([
			'Model: test/model, effort high. This model does not have max. It is used from the end of this turn on.',
		]);
	});

	it('refuses a word that is not a level, and lists the levels of the model', async () => {
		const {type, press, told} = await chat();
		type('/effort much');
		press('enter');
		await settled();
		expect(told()).toEqual(['Unknown effort "much": use none, minimal, low, medium, high or max.']);
	});
});
