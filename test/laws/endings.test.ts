import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {print} from '../../src/cli/print.ts';
import type {Event, Item, Message, RequestItem} from '../../src/pod/protocol.ts';
import {plainText} from '../../src/screen/spans/row.ts';
import {blockSources} from '../../src/screen/rows/block-sources.ts';
import type {Block, View} from '../../src/transcript/block.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import type {Answer, Step} from '../../src/worker/wires/script.ts';
import {createItems} from '../helpers/items.ts';
import {startServer, wires, type WireName} from '../helpers/wire-servers/index.ts';
import {modelNames, testKey} from '../worker/wires/wire-model.ts';
import {session} from '../helpers/test-app.ts';
import {tempHome, type Home} from '../pod/disk/fixture.ts';

type Format = 'text' | 'json' | 'stream-json';
type Result = {readonly outcome: string; readonly stop?: string; readonly cause?: string; readonly answer: string};

async function printed(home: Home, model: string, format: Format, env: Record<string, string> = {}) {
	let [out, err] = ['', ''];
	const launch = {
		command: 'print',
		prompt: 'go',
		format,
		session: {kind: 'new'},
		readOnly: false,
		addDirs: [],
		cwd: home.cwd,
		model,
	} as const;
	const code = await print(launch, {
		env: {...home.env, ...env},
		stdout: {write: text => (out += text)},
		stderr: {write: text => (err += text)},
		piped: undefined,
		signal: new AbortController().signal,
	});
	return {
		code,
		out,
		err: err
			.replaceAll(/-r \S+/g, '-r ID')
			.split('\n')
			.slice(0, -1),
	};
}

type Told = {
	readonly code: number;
	readonly err: readonly string[];
	readonly result: Result;
	readonly items: readonly Item[];
	/** The rows of the live transcript. */
	readonly live: readonly string[];
	readonly restored: (view?: View, isSpoken?: boolean) => readonly string[];
};

/** The output of print mode for one run, and the rows of the screen for the same events and items. */
async function told(home: Home, model: string, env: Record<string, string> = {}): Promise<Told> {
	const {code, out, err} = await printed(home, model, 'stream-json', env);
	const lines = out
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as {type: string});
	const result = lines.at(-1) as unknown as Result;
	const events = lines.slice(0, -1) as unknown as Event[];
	const items = events.flatMap(event => (event.type === 'item' ? [event.item] : []));
	const begin: Event = {type: 'snapshot', session, items: [], tail: [], status: idle};
	const live = events.filter(({type}) => type === 'item' || type === 'delta');
	return {
		code,
		err,
		result,
		items,
		live: rowsOf([begin, ...live]),
		restored: (view, isSpoken) => rowsOf([{...begin, items}], view, isSpoken),
	};
}

const idle = {kind: 'idle', asks: [], queue: []} as const;

function rowsOf(events: readonly Event[], view: View = 'normal', isSpoken = false): string[] {
	const store = createTranscriptStore({columns: 300, view, isSpoken});
	for (const event of events) store.dispatch(event);
	const rows = Array.from({length: store.count()}, (_, index) => store.rows(index)).flat();
	store.dispose();
	return rows.map(row => plainText(row).trim());
}

async function toldByScript(answers: readonly Answer[]): Promise<Told> {
	const home = await tempHome();
	const script = join(home.home, 'script.json');
	await writeFile(script, JSON.stringify(answers));
	return told(home, `scripted:${script}`);
}

const text: Step = {type: 'text', text: 'Well'};
const thought: Step = {type: 'reasoning', text: 'Hm.'};
const cutCall: Step = {type: 'tool_call', name: 'read_file', arguments: '{"path":"a'};
const tokens: Step = {type: 'usage', output: 77};
const stop = (end: Extract<Step, {type: 'stop'}>['stop'], explanation?: string): Step => ({
	type: 'stop',
	stop: end,
	...(explanation !== undefined && {explanation}),
});
const busy: Step = {type: 'error', reason: 'overloaded', message: 'Too busy.', retryable: true, retryAfterMs: 1};

type Row = {
	readonly answers: readonly Answer[];
	readonly stop: RequestItem['stop'];
	readonly outcome?: string;
	/** The cause in the run_end item. */
	readonly cause?: string;
	/** The warnings before the sentence about the end. */
	readonly warnings?: readonly string[];
};

const twice = 'Two answers in a row were cut at the output limit (77 tokens) before their tool call was complete.';

/** Every end of an answer that the scripted model can play. */
const rows: Readonly<Record<string, Row>> = {
	'a whole answer': {answers: [[text]], stop: 'end'},
	'the output limit': {
		answers: [[text, stop('length')]],
		stop: 'length',
		cause: 'The answer reached the output limit.',
	},
	'a refusal': {answers: [[text, stop('refused')]], stop: 'refused', cause: 'The model refused.'},
	'a refusal with its reason': {
		answers: [[stop('refused', 'It could\u001b[31m do harm.')]],
		stop: 'refused',
		cause: 'The model refused: It could\u001b[31m do harm.',
	},
	'a filter': {
		answers: [[stop('blocked', 'SAFETY')]],
		stop: 'blocked',
		cause: 'The provider’s filter blocked the answer: SAFETY.',
	},
	nothing: {answers: [[]], stop: 'empty', cause: 'The model sent neither text nor a tool call.'},
	'only thoughts': {
		answers: [[thought]],
		stop: 'empty',
		cause: 'The model sent neither text nor a tool call.',
	},
	'two unreadable calls': {
		answers: [[stop('unread_call')], [stop('unread_call')]],
		stop: 'unread_call',
		cause: 'The provider could not read the model’s tool call.',
	},
	'a pause': {
		answers: [[text, stop('paused')]],
		stop: 'paused',
		cause: 'The provider paused the answer.',
	},
	'an unknown reason': {
		answers: [[text, stop('other', 'mystery')]],
		stop: 'other',
		cause: 'The provider ended the answer for an unknown reason: mystery.',
	},
	'two cut calls': {
		answers: [
			[cutCall, tokens, stop('length')],
			[cutCall, tokens, stop('length')],
		],
		stop: 'length',
		outcome: 'limit',
		cause: twice,
	},
	'a cut': {
		answers: [[text, {type: 'cut'}]],
		stop: 'cut',
		outcome: 'error',
		cause: 'The answer was cut off.',
	},
	'an error': {
		answers: [[text, {type: 'error', reason: 'other', message: 'It is broken.'}]],
		stop: 'error',
		outcome: 'error',
		cause: 'It is broken.',
	},
	'a whole answer after an unreadable call': {answers: [[stop('unread_call')], [text]], stop: 'end'},
	'a whole answer after a cut call': {answers: [[cutCall, tokens, stop('length')], [text]], stop: 'end'},
	'a whole answer after an overload in its thoughts': {
		answers: [[thought, busy], [text]],
		stop: 'end',
		warnings: ['inkpod: Too busy. Retrying in 1 s.'],
	},
};

/** The words before the cause, on stderr and on the screen. */
const heads: Readonly<Record<string, {readonly err: string; readonly foot: string}>> = {
	finished: {err: '', foot: ''},
	limit: {err: 'Stopped at a limit: ', foot: 'limit reached: '},
	error: {err: 'Failed: ', foot: 'failed: '},
};

describe('the end of an answer', () => {
	it.each(Object.entries(rows))('is reported everywhere: %s', async (_name, row) => {
		const {outcome = 'finished', cause, warnings = []} = row;
		const {result, items, live, restored, ...run} = await toldByScript(row.answers);
		const end = {outcome, ...(cause !== undefined && {cause})};
		expect(run.code).toBe(cause === undefined ? 0 : 1);
		expect(result).toMatchObject({...end, stop: row.stop});
		expect(items.findLast(item => item.type === 'request_end')).toMatchObject({stop: row.stop});
		expect(items.at(-1)).toMatchObject({type: 'run_end', ...end});
		expect(restored()).toEqual(live);
		const {err, foot} = heads[outcome]!;
		const inert = cause?.replace('\u001b', '␛');
		const sentences = inert === undefined ? [] : [`inkpod: ${err}${inert} Resume with: inkpod -r ID`];
		expect(run.err).toEqual([...warnings, ...sentences]);
		for (const rowsShown of [live, restored('detail'), restored('normal', true)]) {
			if (inert === undefined) expect(rowsShown.at(-1)).toMatch(/(?:^|· )[\d.]+ s(?: · .*)?$/);
			else expect(rowsShown.at(-1)).toContain(` · ${foot}${inert}`);
		}
	});

	it('is the same on stderr in every output format', async () => {
		const home = await tempHome();
		const script = join(home.home, 'script.json');
		await writeFile(script, JSON.stringify([[text, stop('length')]]));
		const outputs = await Promise.all(
			(['text', 'json', 'stream-json'] as const).map(async format => printed(home, `scripted:${script}`, format)),
		);
		expect(outputs.map(({code, err}) => [code, err])).toEqual(
			outputs.map(() => [1, ['inkpod: The answer reached the output limit. Resume with: inkpod -r ID']]),
		);
		expect(outputs[0]!.out).toBe('Well\n');
	});

	it('is shown sensibly in sessions of earlier versions', () => {
		const make = createItems();
		const cause = 'the provider’s content filter stopped the answer';
		const shown = (items: readonly Item[]) =>
			rowsOf([{type: 'snapshot', session, items, tail: [], status: idle}]).at(-1);
		expect(shown([make.assistant('No.'), make.request('refused'), make.end('finished', cause)])).toContain(
			` · ${cause}`,
		);
		expect(shown([make.assistant('No.'), make.request('refused'), make.end()])).toContain(
			' · refused by the provider',
		);
	});
});

describe('a part of an answer that cannot be read', () => {
	const unread: Step = {type: 'unread', kind: 'image_\u001bcall', data: 'x'.repeat(12_595)};
	const note = '[image_␛call, 12.3 KB: inkpod cannot show this part]';

	it('is a row, live and restored, in each view and for screen readers, outside the answer’s text', async () => {
		const {code, result, live, restored} = await toldByScript([[unread, text, {type: 'unread', kind: 'audio'}]]);
		expect([code, result.answer]).toEqual([0, 'Well']);
		expect(restored()).toEqual(live);
		for (const rowsShown of [live, restored('detail'), restored('overview'), restored('normal', true)]) {
			expect(rowsShown).toContain(note);
			expect(rowsShown).toContain('[audio: inkpod cannot show this part]');
		}
	});

	it('opens as its stored data', () => {
		const item: Message = {...createItems().assistant(''), unread: {type: 'audio\u001b', data: '{"a":1}'}};
		const block: Block = {kind: 'assistant', id: item.id, item, open: false};
		expect(blockSources(block)).toEqual([
			{id: item.id, name: 'Part of the answer: audio␛', text: '{"a":1}', extension: 'json'},
		]);
	});

	it('leaves an answer empty if it has neither text nor a call', async () => {
		const {code, result} = await toldByScript([[unread]]);
		expect([code, result.stop]).toEqual([1, 'empty']);
	});
});

/**
The ends that the servers of all wires can report. The tests of the readers check the mapping of their words
(test/worker/wires).
*/
const wireRows: Readonly<Record<string, Row>> = {
	'the output limit': rows['the output limit']!,
	nothing: rows['nothing']!,
	'only thoughts': rows['only thoughts']!,
	'two cut calls': rows['two cut calls']!,
	'a whole answer after a cut call': rows['a whole answer after a cut call']!,
	'a whole answer after an overload in its thoughts': rows['a whole answer after an overload in its thoughts']!,
	'a whole answer after a cut in its thoughts': {answers: [[thought, {type: 'cut'}], [text]], stop: 'end'},
};

/** The ends that only some servers can report. */
const ownRows: ReadonlyArray<readonly [WireName, Row]> = [
	['anthropic', rows['a refusal']!],
	['anthropic', rows['a pause']!],
	['anthropic', {...rows['an unknown reason']!, cause: unknown('strange')}],
	['openai', {answers: [[stop('refused')]], stop: 'refused'}],
	['openai', {answers: [[text, stop('blocked')]], stop: 'blocked', cause: filtered('content_filter')}],
	['google', {answers: [[text, stop('blocked')]], stop: 'blocked', cause: filtered('SAFETY')}],
	['google', rows['a whole answer after an unreadable call']!],
	['google', {...rows['two unreadable calls']!, cause: unreadable('MALFORMED_FUNCTION_CALL')}],
	['google', {...rows['an unknown reason']!, cause: unknown('OTHER')}],
	['openai-compatible', {answers: [[text, stop('refused')]], stop: 'refused'}],
	['openai-compatible', {answers: [[stop('blocked')]], stop: 'blocked'}],
	['openai-compatible', {answers: [[text, stop('other')]], stop: 'other'}],
];

function filtered(reason: string): string {
	return `The provider’s filter blocked the answer: ${reason}.`;
}

function unreadable(reason: string): string {
	return `The provider could not read the model’s tool call: ${reason}.`;
}

function unknown(reason: string): string {
	return `The provider ended the answer for an unknown reason: ${reason}.`;
}

describe('the end of an answer from a server', () => {
	it.each(Object.entries(wireRows))(
		'is reported: %s',
		async (_name, {answers, outcome = 'finished', cause, stop: last}) => {
			const expected = {
				refusals: [],
				requests: answers.length,
				code: cause === undefined ? 0 : 1,
				end: {outcome, ...(cause !== undefined && {cause})},
				stop: last,
			};
			expect(
				Object.fromEntries(await Promise.all(wires.map(async wire => [wire, await onWire(wire, answers)]))),
			).toEqual(Object.fromEntries(wires.map(wire => [wire, expected])));
		},
	);

	it.each(ownRows)('is reported in the server’s own words: %s', async (wire, {answers, cause, stop: last}) => {
		const found = await onWire(wire, answers);
		expect(found).toMatchObject({refusals: [], requests: answers.length, stop: last, code: last === 'end' ? 0 : 1});
		if (cause !== undefined) expect(found.end).toEqual({outcome: 'finished', cause});
		else if (last !== 'end') expect(found.end).toMatchObject({cause: expect.stringMatching(/\.$/) as unknown});
	});
});

async function onWire(wire: WireName, answers: readonly Answer[]) {
	await using server = await startServer(wire, answers);
	const [key, url] = variables[wire];
	const env = {[key]: testKey, [url]: server.url};
	const {code, result, items} = await told(await tempHome(), `${wire}/${modelNames[wire]}`, env);
	const {id: _id, at: _at, type: _type, ...end} = items.findLast(item => item.type === 'run_end')!;
	return {refusals: server.refusals, requests: server.requests.length, code, end, stop: result.stop};
}

const variables: Readonly<Record<WireName, readonly [string, string]>> = {
	anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
	openai: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
	google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_BASE_URL'],
	'openai-compatible': ['OPENAI_COMPATIBLE_API_KEY', 'OPENAI_COMPATIBLE_BASE_URL'],
};
