import {describe, expect, it} from 'vitest';
import type {AskedServers, ModelInfo, Receipt} from '../../../../src/pod/protocol.ts';
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
const own: ModelInfo = {name: 'work/coder', provider: 'work', efforts: [], isOwn: true};

async function opened({receipt, status = idle}: {receipt?: Receipt; status?: typeof idle} = {}) {
	const soon = Promise.withResolvers<readonly ModelInfo[]>();
	const local = Promise.withResolvers<readonly ModelInfo[]>();
	const items = createItems();
	const pod = {
		...fakePod(status, [items.user('Hi'), items.assistant('Hello.')]),
		models: async (asked?: AskedServers) => {
			if (asked === 'known') return [gpt, claude];
			return asked === 'soon' ? soon.promise : local.promise;
		},
		...(receipt !== undefined && {answer: async () => receipt}),
	};
	const made = await fakeApp(pod, {});
	made.type('/m');
	made.press('enter');
	await until(() => made.app.state.page !== undefined);
	return {
		...made,
		soon,
		local,
		said: () => pod.said,
		lines: (columns = 120) => made.rows(columns, 20).map(line => line.trimEnd()),
		keys: (text: string) => Array.from(text).forEach(name => made.press(name, {text: name})),
	};
}

describe('the page of the models', () => {
	it('shows what can be used at once, the current model first and ticked, and adds those of servers', async () => {
		const {lines, press, soon, local} = await opened();
		const [title, , first, second, third] = lines();
		expect(title).toBe('Models · 2 · looking for servers…');
		expect(first).toMatch(/^❯ ✓ model +test$/);
		expect(second).toMatch(/^ {2}gpt-5 +openai +400k +\$1\.25\/10 +default +OPENAI_API_KEY$/);
		expect(third).toBe('  1 more, without a key');
		press('down');
		expect(lines()[3]).toMatch(/^❯ gpt-5 +openai +400k +\$1\.25\/10 +‹ default › +OPENAI_API_KEY$/);
		soon.resolve([qwen, gpt, claude]);
		await settled();
		expect(lines().slice(0, 5)).toEqual([
			'Models · 3 · looking for servers…',
			'❯ type to search',
			expect.stringMatching(/^ {2}✓ model /),
			expect.stringMatching(/^ {2}qwen3:8b +ollama +8\.2k +on this machine$/),
			expect.stringMatching(/^❯ gpt-5 /),
		]);
		local.resolve([own, qwen, gpt, claude]);
		await settled();
		expect(lines().slice(0, 6)).toEqual([
			'Models · 4',
			'❯ type to search',
			expect.stringMatching(/^ {2}✓ model /),
			expect.stringMatching(/^ {2}coder +work$/),
			expect.stringMatching(/^ {2}qwen3:8b /),
			expect.stringMatching(/^❯ gpt-5 /),
		]);
	});

	it('shows the models without a key when their row is chosen', async () => {
		const {lines, press, said, app} = await opened();
		press('end');
		expect(lines()).toContain('❯ 1 more, without a key');
		expect(lines()).toContain('Esc close · Enter show');
		press('s', {ctrl: true});
		press('right');
		press('enter');
		expect([said(), app.state.page?.kind]).toEqual([[], 'models']);
		expect(lines()[0]).toBe('Models · 3 · looking for servers…');
		expect(lines()[4]).toMatch(/^❯ claude +anthropic +set ANTHROPIC_API_KEY$/);
		expect(lines().some(line => line.includes('more, without a key'))).toBe(false);
	});

	it('finds models by the words of their name, also those without a key, with the cursor in the field', async () => {
		const {app, lines, keys, press, soon, local} = await opened();
		soon.resolve([qwen, gpt, claude]);
		local.resolve([qwen, gpt, claude]);
		await settled();
		keys('qw');
		expect(lines().slice(0, 3)).toEqual(['Models · 1 of 4', '❯ qw', expect.stringMatching(/^❯ qwen3/)]);
		expect(layoutOf(app.state).cursor).toEqual({x: 4, y: 1});
		keys('x');
		expect(lines()[2]).toBe('Nothing matches.');
		Array.from('qwx').forEach(() => press('backspace'));
		keys('opus');
		expect(lines()[2]).toMatch(/^❯ claude +anthropic/);
	});

	it('switches with Enter to the chosen effort, and closes', async () => {
		const {app, press, said, told} = await opened();
		press('down');
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
		press('down');
		press('s', {ctrl: true});
		await settled();
		expect(said()).toEqual([{method: 'save_model', name: 'openai/gpt-5'}]);
		expect(told()).toEqual(['openai/gpt-5 is the default of new sessions now.']);
	});

	it('shows what the switch costs before it', async () => {
		const {lines, press} = await opened({status: {...idle, context: {tokens: 41_000, exact: true}}});
		press('down');
		expect(lines()).toContain('Prompt cache lost: ~41k tokens will be re-read ($0.05)');
	});

	it('fits into a narrow and low screen', async () => {
		const {rows, press} = await opened();
		press('down');
		const lines = rows(60, 15).map(line => line.trimEnd());
		expect(lines[3]).toMatch(/^❯ openai\/gpt-5 +400k +\$1\.25\/10$/);
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
			'Model: test/model, effort high. This model does not have max. inkpod uses it after this turn.',
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
