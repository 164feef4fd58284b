import {describe, expect, it} from 'vitest';
import {createAnswerNotes} from '../../../../../src/worker/wires/reading/answer-notes.ts';
import {ChatCalls} from '../../../../../src/worker/wires/reading/chat/chat-calls.ts';

type Called = readonly [id: string, name: string, args: string];

/** Returns the calls from the lists of pieces, and the number of unreadable ones. */
function read(...lists: readonly unknown[]): {readonly calls: readonly Called[]; readonly unread: readonly unknown[]} {
	const notes = createAnswerNotes('test');
	const calls = new ChatCalls(notes);
	const made = new Map<unknown, [string, string, string]>();
	for (const event of lists.flatMap(list => calls.add(list))) {
		if (event.type === 'call_start') made.set(event.id, [String(event.id), String(event.name), '']);
		else if (event.type === 'delta') made.get(event.id)![2] += event.text;
		else throw new Error(event.type);
	}
	expect(calls.ends()).toEqual([...made].map(([id, [, name, text]]) => ({type: 'call_end', id, name, text})));
	expect(calls.ids()).toEqual([...made.keys()]);
	calls.noteUnread();
	return {calls: [...made.values()], unread: notes.takeUnread(true).map(({type}) => type)};
}

const a = '{"path":"a"}';
const b = '{"path":"b"}';
const piece = (args: unknown, more: object = {}, name?: unknown) => ({...more, function: {name, arguments: args}});

describe('the calls of an answer', () => {
	it.each<readonly [string, readonly unknown[], readonly Called[]]>([
		['in one piece', [[piece(a, {index: 0, id: 'x'}, 'f')]], [['x', 'f', a]]],
		[
			'in pieces',
			[[piece('', {index: 0, id: 'x'}, 'f')], [piece('{"path"', {index: 0})], [piece(':"a"}', {index: 0})]],
			[['x', 'f', a]],
		],
		['with an object', [[piece({path: 'a'}, {index: 0, id: 'x'}, 'f')]], [['x', 'f', a]]],
		[
			'with an empty object before the text',
			[[piece({}, {index: 0, id: 'x'}, 'f')], [piece(a, {index: 0})]],
			[['x', 'f', a]],
		],
		['with a list', [[piece([1], {index: 0, id: 'x'}, 'f')]], [['x', 'f', '[1]']]],
		['with null', [[piece(null, {index: 0, id: 'x'}, 'f')]], [['x', 'f', '']]],
		['not in a list', [piece(a, {id: 'x'}, 'f')], [['x', 'f', a]]],
		['without "function"', [[{index: 0, id: 'x', name: 'f', arguments: a}]], [['x', 'f', a]]],
		['with "parameters"', [[{index: 0, id: 'x', function: {name: 'f', parameters: {path: 'a'}}}]], [['x', 'f', a]]],
		[
			'with an index as a text',
			[[piece('{"path"', {index: '0', id: 'x'}, 'f')], [piece(':"a"}', {index: '0'})]],
			[['x', 'f', a]],
		],
		[
			'with an index that begins at 3',
			[[piece(a, {index: 3, id: 'x'}, 'f')], [piece(b, {index: 5, id: 'y'}, 'g')]],
			[
				['x', 'f', a],
				['y', 'g', b],
			],
		],
		['without an index', [[piece('', {id: 'x'}, 'f')], [piece(a, {id: 'x'})]], [['x', 'f', a]]],
		[
			'without an index and later ids',
			[[piece('', {id: 'x'}, 'f')], [piece('{"path"')], [piece(':"a"}')]],
			[['x', 'f', a]],
		],
		[
			'without ids',
			[[piece(a, {}, 'f')], [piece(b, {}, 'f')]],
			[
				['call_1', 'f', a],
				['call_2', 'f', b],
			],
		],
		[
			'without ids, in one list',
			[[piece(a, {}, 'f'), piece(a, {}, 'f')]],
			[
				['call_1', 'f', a],
				['call_2', 'f', a],
			],
		],
		[
			'all at index 0 with ids',
			[[piece(a, {index: 0, id: 'x'}, 'f')], [piece(b, {index: 0, id: 'y'}, 'f')]],
			[
				['x', 'f', a],
				['y', 'f', b],
			],
		],
		[
			'all at index 0 without ids',
			[[piece(a, {index: 0}, 'f')], [piece(b, {index: 0}, 'f')]],
			[
				['call_1', 'f', a],
				['call_2', 'f', b],
			],
		],
		[
			'all at index 0, without arguments',
			[[piece('', {index: 0, id: 'x'}, 'f')], [piece('', {index: 0, id: 'y'}, 'f')]],
			[
				['x', 'f', ''],
				['y', 'f', ''],
			],
		],
		[
			'with the same id',
			[[piece(a, {index: 0, id: 'x'}, 'f')], [piece(b, {index: 1, id: 'x'}, 'f')]],
			[
				['x', 'f', a],
				['x_2', 'f', b],
			],
		],
		[
			'with an id like the one of a call without id',
			[[piece(a, {index: 0}, 'f')], [piece(b, {index: 1, id: 'call_1'}, 'f')]],
			[
				['call_1', 'f', a],
				['call_1_2', 'f', b],
			],
		],
		['with numbers as ids', [[piece(a, {index: 0, id: 7}, 'f')]], [['7', 'f', a]]],
		['with blank ids', [[piece(a, {index: 0, id: ' '}, 'f')]], [['call_1', 'f', a]]],
		[
			'with the id later',
			[[piece('{"path"', {index: 0}, 'f')], [piece(':"a"}', {index: 0, id: 'x'})]],
			[['call_1', 'f', a]],
		],
		[
			'with the name later',
			[[piece('{"path"', {index: 0, id: 'x'}, null)], [piece(':"a"}', {index: 0}, 'f')]],
			[['x', 'f', a]],
		],
		[
			'with the name again',
			[[piece('{"path"', {index: 0, id: 'x'}, 'f')], [piece(':"a"}', {index: 0, id: 'x'}, 'f')]],
			[['x', 'f', a]],
		],
		[
			'with the name again, empty',
			[[piece('{"path"', {index: 0, id: 'x'}, 'f')], [piece(':"a"}', {index: 0, id: ''}, '')]],
			[['x', 'f', a]],
		],
		[
			'with another id in every piece',
			[[piece('{"path"', {index: 0, id: 'x'}, 'f')], [piece(':"a"}', {index: 0, id: 'y'})]],
			[['x', 'f', a]],
		],
		[
			'with another id and the name in every piece',
			[[piece('{"path"', {index: 0, id: 'x'}, 'f')], [piece(':"a"}', {index: 0, id: 'y'}, 'f')]],
			[['x', 'f', a]],
		],
		[
			'again at the end',
			[
				[piece('{"path"', {index: 0, id: 'x'}, 'f')],
				[piece(':"a"}', {index: 0})],
				[piece(a, {index: 0, id: 'x'}, 'f')],
			],
			[['x', 'f', a]],
		],
		[
			'interleaved',
			[
				[piece('{"path"', {index: 0, id: 'x'}, 'f')],
				[piece('{"path"', {index: 1, id: 'y'}, 'f')],
				[piece(':"a"}', {index: 0})],
				[piece(':"b"}', {index: 1})],
			],
			[
				['x', 'f', a],
				['y', 'f', b],
			],
		],
		[
			'of a builtin function',
			[[{type: 'builtin_function', index: 0, id: 'x', function: {name: 'f', arguments: a}}]],
			[['x', 'f', a]],
		],
		[
			'with braces in a text',
			[[piece('{"a":"}{', {index: 0, id: 'x'}, 'f')], [piece('\\"{"}', {index: 0, id: 'x'}, 'f')]],
			[['x', 'f', '{"a":"}{\\"{"}']],
		],
	])('are read %s', (_, lists, calls) => {
		expect(read(...lists)).toEqual({calls, unread: []});
	});

	it.each<readonly [string, readonly unknown[], readonly string[]]>([
		['without a name', [[piece(a, {index: 0, id: 'x'})]], ['tool_call']],
		['with a blank name', [[piece(a, {index: 0, id: 'x'}, ' ')]], ['tool_call']],
		['of another type', [[{index: 0, id: 'x', type: 'custom', custom: {name: 'f', input: 'x'}}]], ['custom']],
		[
			'of another type in pieces',
			[[{index: 0, type: 'web_search', web_search: {}}], [{index: 0, web_search: {q: 'x'}}]],
			['web_search'],
		],
		['that are not objects', [[null, 'x', 3, []]], []],
	])('are noted when they cannot be read: %s', (_, lists, unread) => {
		expect(read(...lists)).toEqual({calls: [], unread});
	});

	it('are invalid when their arguments nest too deep', () => {
		const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
		expect(read([piece(deep, {index: 0, id: 'x'}, 'f')]).calls).toEqual([['x', 'f', '(nested too deeply)']]);
	});

	it('keep the other data of the event', () => {
		const notes = createAnswerNotes('test');
		const calls = new ChatCalls(notes);
		const extra_content = {google: {thought_signature: 's'}, more: 1};
		calls.add([{index: 0, extra_content}]);
		calls.add([{index: 0, id: 'x', function: {name: 'f'}}]);
		calls.add([{index: 0, extra_content: {later: 2}}]);
		const data = {thoughtSignature: 's', extra_content: {...extra_content, later: 2}};
		expect(JSON.stringify(notes.takeData('tool_call', 'x'))).toBe(JSON.stringify({test: data}));
	});

	it('end in the order in which they began, although their names came late', () => {
		const calls = new ChatCalls(createAnswerNotes('test'));
		calls.add([piece(a, {index: 0, id: 'x'})]);
		expect(calls.add([piece(b, {index: 1, id: 'y'}, 'g')])).toEqual([
			{type: 'call_start', id: 'y', name: 'g'},
			{type: 'delta', kind: 'tool_call', id: 'y', text: b},
		]);
		expect(calls.add([piece('', {index: 0}, 'f')])).toEqual([
			{type: 'call_start', id: 'x', name: 'f'},
			{type: 'delta', kind: 'tool_call', id: 'x', text: a},
		]);
		expect(calls.ends()).toEqual([
			{type: 'call_end', id: 'y', name: 'g', text: b},
			{type: 'call_end', id: 'x', name: 'f', text: a},
		]);
	});
});
