import {describe, expect, it} from 'vitest';
import type {QuestionAnswer} from '../../../../src/pod/protocol.ts';
import {allowed, testPod, type TestPod} from '../../../helpers/pod.ts';
import {configure, everything, writtenServer} from '../../../helpers/mcp-server.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';

const done = answer(says('Done.'));

async function withServer(tool: string, args: object, server?: string, attended = true) {
	const project = await tempProject();
	const entry =
		server === undefined
			? {command: process.execPath, args: [everything, 'stdio']}
			: await writtenServer(project, server);
	await configure(project, {s: entry});
	const model = eventModel(answer(calls('c1', `mcp__s__${tool}`, args)), done);
	return testPod(project, {model, ...allowed, attended});
}

async function card(told: TestPod, choice: string, answers?: readonly QuestionAnswer[]) {
	await told.until(() => told.status().asks.length > 0);
	const [ask] = told.status().asks;
	await told.pod.send({method: 'answer', askId: ask!.id, choice, ...(answers && {answers: [...answers]})});
	await told.until(() => told.status().asks[0]?.id !== ask!.id);
	return ask!;
}

const result = (told: TestPod) =>
	told.items().flatMap(item => (item.type === 'tool_result' ? [item.content] : []))[0] ?? '';

/** A server whose tool asks with this schema, a number of times at once, and answers with what it got. */
const asking = (schema: object, times = 1) => `
	tools = [tool('ask')];
	const waiting = new Map();
	call = async id => {
		const results = await Promise.all(Array.from({length: ${times}}, (_, index) => new Promise(resolve => {
			waiting.set('e' + index, resolve);
			const params = {message: 'Which \\u001b[31mone?', requestedSchema: ${JSON.stringify(schema)}};
			say(JSON.stringify({jsonrpc: '2.0', id: 'e' + index, method: 'elicitation/create', params}) + '\\n');
		})));
		answer(id, {content: [{type: 'text', text: JSON.stringify(results)}]});
	};
	createInterface({input: process.stdin}).on('line', line => {
		const {id, result} = JSON.parse(line);
		if (result !== undefined) waiting.get(id)?.(result);
	});`;

describe('a form of the published server', () => {
	it('is a card with its fields as questions, with defaults, in parts if it is long', async () => {
		const told = await withServer('trigger-elicitation-request', {});
		const running = told.run('go');
		const first = await card(told, 'answer', [{text: 'Ada'}, {options: [0]}]);
		expect(first).toMatchObject({
			title: 'The MCP server s asks (1/2)',
			detail: expect.stringContaining('provide inputs'),
		});
		expect(first.questions).toHaveLength(8);
		expect(first.questions![0]).toEqual({
			title: expect.stringMatching(/^s: Please provide inputs[^·]* · String · Your full, legal name/),
		});
		expect(first.questions![1]!.title).toMatch(/^s: Boolean · Agree/);
		expect(first.questions![1]).toMatchObject({options: ['Yes', 'No'], free: false});
		const second = await card(told, 'answer', [{options: [1]}, {options: [0, 1]}, {options: [2]}]);
		expect(second.questions![1]).toMatchObject({
			multiple: true,
			options: ['Guitar', 'Piano', 'Violin', 'Drums', 'Bass'],
		});
		await running;
		await told.rest();
		for (const part of ['Ada', 'Rachel', 'Guitar', 'Piano', 'hero-3', '42', 'dark and stormy'])
			expect(result(told)).toContain(part);
	});

	it('is declined by the user', async () => {
		const told = await withServer('trigger-elicitation-request', {});
		const running = told.run('go');
		await card(told, 'none');
		await running;
		await told.rest();
		expect(result(told)).toMatch(/declined/i);
	});

	it('does not exist where nobody can answer', async () => {
		const told = await withServer('trigger-elicitation-request', {}, undefined, false);
		await told.run('go');
		await told.rest();
		expect(result(told)).toContain('There is no tool mcp__s__trigger-elicitation-request');
	});
});

describe('an address of the published server', () => {
	it('is shown as a whole and not opened', async () => {
		const told = await withServer('trigger-url-elicitation', {
			url: 'https://login.example/begin?x=1',
			message: 'Log in',
		});
		const running = told.run('go');
		await told.until(() => told.status().asks.length > 0 || result(told) !== '');
		expect(result(told)).toBe('');
		const ask = await card(told, 'allow');
		expect(ask).toMatchObject({
			title: 'The MCP server s asks you to open this address',
			detail: 'Log in\n\nhttps://login.example/begin?x=1',
		});
		await running;
		await told.rest();
		expect(result(told)).toMatch(/accept|complet|opened/i);
	});
});

describe('a form', () => {
	it('is asked again until its values fit', async () => {
		const schema = {
			properties: {age: {type: 'integer', minimum: 1}, mail: {type: 'string', format: 'email'}},
			required: ['age'],
		};
		const told = await withServer('ask', {}, asking(schema));
		const running = told.run('go');
		await card(told, 'answer', [{}, {text: 'nobody'}]);
		const second = await card(told, 'answer', [{text: '0'}, {text: 'a@b.example'}]);
		expect(second.detail).toMatch(/age[^\n]*: an answer is required\nmail[^\n]*: this is not a valid email$/);
		expect(second.questions!.map(({title}) => title)).toEqual([
			expect.stringMatching(/^s: Which [^\u001b]* · an answer is required · age/),
			expect.stringMatching(/^s: mail[^·]* · .*this is not a valid email$/),
		]);
		const third = await card(told, 'answer', [{text: '7'}]);
		expect(third.detail).toContain('at least 1');
		await running;
		await told.rest();
		expect(JSON.parse(result(told))).toEqual([{action: 'accept', content: {age: 7}}]);
	});

	it.each([
		['nested', {properties: {a: {type: 'object'}}}],
		[
			'with too many fields',
			{properties: Object.fromEntries(Array.from({length: 33}, (_, i) => [`f${i}`, {type: 'string'}]))},
		],
	])('that MCP does not allow is cancelled without a card: %s', async (_, schema) => {
		const told = await withServer('ask', {}, asking(schema));
		await told.run('go');
		await told.rest();
		expect(JSON.parse(result(told))).toEqual([{action: 'cancel'}]);
	});

	it('is one at a time for each server', async () => {
		const told = await withServer('ask', {}, asking({properties: {a: {type: 'boolean'}}}, 50));
		const running = told.run('go');
		let open = 0;
		const undo = told.pod.subscribe(event => {
			if (event.type === 'status') open = Math.max(open, event.status.asks.length);
		});
		// Requests that come after an answer open a card again.
		while (result(told) === '') {
			await told.until(() => told.status().asks.length > 0 || result(told) !== '');
			const [ask] = told.status().asks;
			if (ask !== undefined)
				await told.pod.send({method: 'answer', askId: ask.id, choice: 'answer', answers: [{options: [1]}]});
		}
		undo();
		await running;
		await told.rest();
		const results = JSON.parse(result(told)) as ReadonlyArray<{readonly action: string}>;
		expect(open).toBe(1);
		expect(results).toHaveLength(50);
		expect(new Set(results.map(({action}) => action))).toEqual(new Set(['accept', 'cancel']));
	});

	it('closes when its session ends', async () => {
		const told = await withServer('ask', {}, asking({properties: {a: {type: 'boolean'}}}));
		void told.run('go');
		await told.until(() => told.status().asks.length > 0);
		expect(await told.pod.send({method: 'shutdown'})).toEqual({accepted: true});
	});
});
