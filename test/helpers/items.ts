import {createHash} from 'node:crypto';
import type {AnswerEnd, Item, ItemOf, ItemType, Segment} from '../../src/pod/protocol.ts';
import {flatten} from '../../src/pod/protocol.ts';

type Made<Type extends ItemType> = ItemOf<Type>;

/** Makes items with ids `i1`, `i2`, ... and times one second apart, so that tests and fixtures are always the same. */
export type ItemMaker = {
	user(text: string, segments?: readonly Segment[]): Made<'message'>;
	assistant(text: string, stop?: string): Made<'message'>;
	system(text: string, origin?: {readonly kind: string; readonly [key: string]: unknown}): Made<'message'>;
	/** Makes a system item like the one of a resolved file ref. */
	file(
		path: string,
		body: string,
		extra?: {readonly totalBytes?: number; readonly range?: {readonly first: number; readonly last?: number}},
	): Made<'message'>;
	reasoning(text: string, ms?: number): Made<'reasoning'>;
	call(callId: string, name: string, args: unknown): Made<'tool_call'>;
	result(callId: string, summary: string, content: string, isError?: boolean): Made<'tool_result'>;
	setup(): Made<'setup'>;
	/** Makes a request as in 0.1.0, which follows its answer and ends it. */
	request(stop?: AnswerEnd['stop']): Made<'request'> & AnswerEnd;
	/** Makes a request that precedes its answer. */
	sent(): Made<'request'>;
	/** Makes the end of the answer to a request. */
	answered(request: Made<'request'>, stop?: AnswerEnd['stop'], usage?: AnswerEnd['usage']): Made<'request_end'>;
	end(outcome?: Made<'run_end'>['outcome'], cause?: string): Made<'run_end'>;
	compaction(summary: string): Made<'compaction'>;
	/** Makes any other item from the given keys. */
	item<Type extends ItemType>(type: Type, keys: Omit<Made<Type>, 'id' | 'at' | 'type'>): Made<Type>;
};

export function createItems(prefix = 'i'): ItemMaker {
	let count = 0;
	const item = <Type extends ItemType>(type: Type, keys: Omit<Made<Type>, 'id' | 'at' | 'type'>): Made<Type> => {
		count++;
		return {
			id: `${prefix}${count}`,
			at: new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString(),
			type,
			...keys,
		} as unknown as Made<Type>;
	};
	const message = (role: 'user' | 'assistant' | 'system', text: string, extra: object = {}) =>
		item('message', {role, text, ...extra});
	return {
		item,
		user: (text, segments = [{type: 'text', text}]) =>
			message('user', flatten(segments), {origin: {kind: 'submit', segments}}),
		assistant: (text, stop) => message('assistant', text, stop === undefined ? {} : {stop}),
		system: (text, origin) => message('system', text, origin === undefined ? {} : {origin}),
		file(path, body, {totalBytes, range} = {}) {
			const bytes = Buffer.byteLength(body);
			const total = totalBytes ?? bytes;
			const suffix = range === undefined ? '' : `:${range.first}-${range.last ?? ''}`;
			const note =
				total > bytes && range === undefined
					? `\n[...truncated, ${total} bytes total — use read_file for the rest]`
					: '';
			const lines = body === '' ? 0 : body.replace(/\n$/, '').split('\n').length;
			const origin = {
				kind: 'file',
				path,
				...(range === undefined ? {} : {range}),
				bytes,
				totalBytes: total,
				lines,
				truncated: note !== '',
				sha256: '0'.repeat(64),
				mtimeMs: 0,
			};
			return message('system', `[File: ${path}${suffix}]\n${body}${note}`, {origin});
		},
		reasoning: (text, ms = 1200) => item('reasoning', {text, ms}),
		call: (callId, name, args) =>
			item('tool_call', {callId, name, arguments: typeof args === 'string' ? args : JSON.stringify(args)}),
		result: (callId, summary, content, isError = false) =>
			item('tool_result', {callId, summary, content, isError, ms: 40}),
		setup: () =>
			item('setup', {
				model: 'scripted/demo',
				prompt: 'You are a careful assistant.',
				tools: [{name: 'read_file', description: 'Reads.', parameters: {}}],
				settings: {},
			}),
		request(stop = 'end') {
			const {model, ...keys} = requestKeys;
			const {usage, endedAt} = endKeys;
			const end = {usage, endedAt, stop};
			return {...item('request', {model, usage, ...keys, endedAt, stop}), ...end};
		},
		sent: () => item('request', requestKeys),
		answered: ({id}, stop = 'end', usage = endKeys.usage) =>
			item('request_end', {request: id, ...endKeys, usage, stop}),
		end: (outcome = 'finished', cause) => item('run_end', cause === undefined ? {outcome} : {outcome, cause}),
		compaction: summary =>
			item('compaction', {
				summary,
				firstKept: 'i9',
				keptIds: ['i2'],
				refs: ['docs/a.md'],
				refused: [{path: 'gone.ts', reason: 'not found'}],
				before: 81_000,
				after: 9500,
				model: 'scripted/demo',
				usage: {},
			}),
	};
}

const requestKeys = {model: 'scripted/demo', requestHash: '0'.repeat(64), startedAt: '2026-01-01T00:00:00.000Z'};
const endKeys = {usage: {input: 12_400, output: 320, cacheRead: 9300}, endedAt: '2026-01-01T00:00:03.400Z'};

/** Returns the text of a history.json with these items and their chain of sums. */
export function historyText(items: readonly Item[], session = '01JZZZZZZZZZZZZZZZZZZZZZZZ', cwd = '/project'): string {
	const header =
		JSON.stringify({format: 'inkpod.history/1', session, cwd, created: '2026-01-01T00:00:00.000Z'}).slice(0, -1) +
		',"items":[';
	let sum = digest(header);
	const lines = items.map(item => {
		const line = JSON.stringify(item);
		sum = digest(`${sum}\n${line}`);
		return `${line.slice(0, -1)},"sum":"${sum}"}`;
	});
	return `${header}\n${lines.join(',\n')}\n]}\n`;
}

function digest(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
