import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Start} from '../../src/cli/start/launch.ts';
import {print, type PrintIo} from '../../src/cli/print.ts';
import {onlyHistory} from '../helpers/chat.ts';
import {tempHome, type Home} from '../pod/disk/fixture.ts';

type Launch = Partial<Start> & {readonly schema?: string; readonly isStream?: boolean; readonly prompt?: string};

async function run(home: Home, answers: unknown, launch: Launch, io: Partial<PrintIo> = {}) {
	const script = join(home.home, 'script.json');
	await writeFile(script, JSON.stringify(answers));
	let [out, err] = ['', ''];
	const code = await print(
		{
			command: 'print',
			prompt: 'hi',
			format: launch.isStream === true ? 'stream-json' : 'json',
			session: {kind: 'new'},
			readOnly: false,
			addDirs: [],
			cwd: home.cwd,
			model: `scripted:${script}`,
			...launch,
		},
		{
			env: home.env,
			stdout: {write: text => (out += text)},
			stderr: {write: text => (err += text)},
			piped: undefined,
			signal: new AbortController().signal,
			...io,
		},
	);
	const lines = out.split('\n').filter(line => line !== '');
	return {code, err, result: JSON.parse(lines.at(-1) ?? 'null') as Record<string, unknown>, lines};
}

const says = (text: string) => [{type: 'text', text}];
const bash = (command: string) => [{type: 'tool_call', name: 'bash', arguments: {command}}];
const personSchema = {
	type: 'object',
	properties: {name: {type: 'string'}, age: {type: 'integer', minimum: 0}},
	required: ['name', 'age'],
	additionalProperties: false,
};

async function withSchema(text = JSON.stringify(personSchema)) {
	const home = await tempHome();
	await mkdir(home.cwd, {recursive: true});
	await writeFile(join(home.cwd, 'person.json'), text);
	return home;
}

describe('an answer that must match a JSON Schema', () => {
	it('is returned as a value, and the message shows the schema', async () => {
		const home = await withSchema();
		const {code, err, result} = await run(home, [says('{"name": "Ada", "age": 36}')], {schema: 'person.json'});
		expect([code, err]).toEqual([0, '']);
		expect(result).toMatchObject({outcome: 'finished', structured: {name: 'Ada', age: 36}});
		const {items} = await onlyHistory(home.home);
		const [message] = items.filter(({type}) => type === 'message');
		expect(message).toMatchObject({role: 'user', text: expect.stringContaining('"minimum":0') as string});
	});

	it('may be in a code block', async () => {
		const answer = '```json\n{"name": "Ada", "age": 36}\n```';
		const {code, result} = await run(await withSchema(), [says(answer)], {schema: 'person.json'});
		expect([code, result['structured']]).toEqual([0, {name: 'Ada', age: 36}]);
	});

	it('gets one repair with the problems, which the history shows', async () => {
		const home = await withSchema();
		const answers = [says('{"name": "Ada", "age": -1}'), says('{"name": "Ada", "age": 36}')];
		const {code, result} = await run(home, answers, {schema: 'person.json'});
		expect([code, result['structured']]).toEqual([0, {name: 'Ada', age: 36}]);
		const {items} = await onlyHistory(home.home);
		expect(items.filter(item => item['role'] === 'user')).toHaveLength(2);
		expect(JSON.stringify(items)).toContain('- /age must be >= 0');
	});

	it('fails with exit code 1 after one repair', async () => {
		const {code, err, result} = await run(await withSchema(), [says('no'), says('{}'), says('{}')], {
			schema: 'person.json',
		});
		expect(code).toBe(1);
		expect(err).toContain('does not match the JSON Schema, even after a second attempt');
		expect(result).not.toHaveProperty('structured');
		expect(result).toMatchObject({answer: '{}'});
	});

	it.each([
		[
			'draft 7',
			{$schema: 'http://json-schema.org/draft-07/schema#', type: 'array', items: [{const: 1}]},
			'[1]',
			'[2]',
		],
		['draft 2020-12', {type: 'array', prefixItems: [{const: 1}]}, '[1]', '[2]'],
		['unknown formats and keywords', {type: 'string', format: 'mine', mine: 1}, '"x"', '1'],
	])('follows its draft: %s', async (_, schema, good, bad) => {
		const home = await withSchema(JSON.stringify(schema));
		expect((await run(home, [says(good)], {schema: 'person.json'})).code).toBe(0);
		expect((await run(home, [says(bad), says(bad)], {schema: 'person.json'})).code).toBe(1);
	});

	it.each([
		['nothing', undefined],
		['no JSON', '{'],
		['a text', '"x"'],
		['a wrong schema', '{"type": "banana"}'],
		['a very large file', `{"description": "${'x'.repeat(300_000)}"}`],
	])('is not asked for with a file of %s', async (_, text) => {
		const home = await withSchema(text);
		const {code, err, result} = await run(home, [], {schema: text === undefined ? 'missing.json' : 'person.json'});
		expect([code, result]).toEqual([2, null]);
		expect(err).toMatch(/^inkpod: .+\.\n$/);
	});
});

describe('rules on the command line', () => {
	it('allow a call, and a denying one wins', async () => {
		const answers = [bash('echo yes'), says('done')];
		const allowed = await run(await tempHome(), answers, {allow: ['bash(echo *)'], noConfine: true});
		expect([allowed.code, allowed.result['denied']]).toEqual([0, []]);
		const denied = await run(await tempHome(), answers, {
			allow: ['bash(echo *)'],
			deny: ['bash(*yes*)'],
			noConfine: true,
		});
		expect(denied.code).toBe(5);
		expect(denied.result['denied']).toMatchObject([{tool: 'bash', by: 'rule', subject: 'echo yes'}]);
	});

	it.each(['', 'bash(', 'bsh', 'bash()', '(x)'])('refuse %j before any request', async rule => {
		const {code, err, result} = await run(await tempHome(), [says('no')], {deny: [rule]});
		expect([code, result]).toEqual([2, null]);
		expect(err).toMatch(/^inkpod: Invalid --deny ".*": it .+\.\n$/);
	});
});

describe('a system prompt from a file', () => {
	it('replaces that of inkpod in the setup', async () => {
		const home = await withSchema('You speak like a pirate.\n');
		expect((await run(home, [says('Arr.')], {systemPromptFile: 'person.json'})).code).toBe(0);
		const {items} = await onlyHistory(home.home);
		expect(items[0]).toMatchObject({type: 'setup', prompt: 'You speak like a pirate.'});
	});

	it.each([
		['is missing', 'no.txt', 'x'],
		['is empty', 'person.json', ' \n'],
	])('is refused if it %s', async (_, file, text) => {
		const {code, err} = await run(await withSchema(text), [says('no')], {systemPromptFile: file});
		expect(code).toBe(2);
		expect(err).toMatch(/^inkpod: .+\.\n$/);
	});
});

describe('a stream of methods', () => {
	async function* lines(...values: readonly unknown[]): AsyncGenerator<Buffer> {
		for (const value of values) yield Buffer.from(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
	}
	const run1 = {id: 1, method: 'run', segments: [{type: 'text', text: 'one'}]};
	const typesOf = (all: readonly string[]) => all.map(line => (JSON.parse(line) as {type: string}).type);

	it('is carried out, and each gets a receipt', async () => {
		const home = await tempHome();
		const queue = {id: 2, method: 'queue', message: 'm2', segments: [{type: 'text', text: 'two'}]};
		const input = lines(run1, queue, {id: 3, ask: 'ledger'});
		const answers = [says('first'), says('second')];
		const {code, lines: out, result} = await run(home, answers, {isStream: true, prompt: ''}, {input});
		expect([code, result['answer']]).toEqual([0, 'second']);
		expect(typesOf(out)[0]).toBe('snapshot');
		expect(out.filter(line => line.includes('"type":"receipt"')).map(line => JSON.parse(line) as unknown)).toEqual([
			{type: 'receipt', id: 1, receipt: {accepted: true}},
			{type: 'receipt', id: 2, receipt: {accepted: true}},
		]);
		expect(out.some(line => line.startsWith('{"type":"answer","id":3'))).toBe(true);
	});

	it('answers questions that are events', async () => {
		const home = await tempHome();
		const seen = Promise.withResolvers<string>();
		async function* input(): AsyncGenerator<Buffer> {
			yield Buffer.from(`${JSON.stringify(run1)}\n`);
			const askId = await seen.promise;
			yield Buffer.from(`${JSON.stringify({id: 2, method: 'answer', askId, choice: 'allow'})}\n`);
		}
		const stdout = {
			write(text: string) {
				const {status} = JSON.parse(text) as {
					readonly status?: {readonly asks: ReadonlyArray<{readonly id: string}>};
				};
				const [ask] = status?.asks ?? [];
				if (ask !== undefined) seen.resolve(ask.id);
			},
		};
		const answers = [bash('touch made.txt'), says('ok')];
		const launch = {isStream: true, prompt: '', noConfine: true};
		const {code} = await run(home, answers, launch, {input: input(), stdout});
		expect(code).toBe(0);
		await readFile(join(home.cwd, 'made.txt'));
	});

	it('denies what is open at its end', async () => {
		const home = await tempHome();
		const answers = [bash('touch made.txt'), says('ok')];
		const {code, result} = await run(home, answers, {isStream: true, prompt: ''}, {input: lines(run1)});
		expect(code).toBe(5);
		expect(result['denied']).toMatchObject([{tool: 'bash', by: 'user'}]);
	});

	it('has a prompt on the command line, too, and may be empty', async () => {
		const {code, result} = await run(await tempHome(), [says('hello')], {isStream: true}, {input: lines()});
		expect([code, result['answer']]).toEqual([0, 'hello']);
		const empty = await run(await tempHome(), [], {isStream: true, prompt: ''}, {input: lines()});
		expect([empty.code, empty.result['outcome']]).toEqual([0, 'finished']);
	});

	it.each([
		['is not JSON', 'what'],
		['is no method', {id: 1, method: 'fly'}],
		['would end the session', {id: 1, method: 'shutdown'}],
		['is too deep', '['.repeat(5000)],
	])('ends with exit code 2 at a line that %s', async (_, line) => {
		const {code, lines: out} = await run(
			await tempHome(),
			[says('x')],
			{isStream: true, prompt: ''},
			{input: lines(line, run1)},
		);
		expect(code).toBe(2);
		expect(typesOf(out)).toContain('error');
		expect(out.join('')).not.toContain('"text":"one"');
	});

	it('needs a pipe', async () => {
		expect((await run(await tempHome(), [], {isStream: true, prompt: ''})).code).toBe(2);
	});
});
