import {describe, expect, it} from 'vitest';
import type {Segment} from '../../../../src/pod/protocol.ts';
import {
	mayPrecedeRef as podMayPrecedeRef,
	mayPrecedeWorkflow as podMayPrecedeWorkflow,
} from '../../../../src/pod/references/submission/token.ts';
import {mayPrecedeRef, mayPrecedeWorkflow, tokenAt} from '../../../../src/screen/model/completion/token.ts';
import {textOf} from '../../../../src/screen/editor/chip-range.ts';
import {endOf, draftOf, insert, type Draft, type Position} from '../../../../src/screen/editor/draft.ts';
import {fromSegments} from '../../../../src/screen/editor/segments.ts';

/** Returns the draft of a text in which a bar marks the caret. */
function marked(text: string): {readonly draft: Draft; readonly caret: Position} {
	const [head = '', tail = ''] = text.split('|');
	const {draft, end} = insert(draftOf(tail), {line: 0, column: 0}, draftOf(head));
	return {draft, caret: end};
}

/** Returns the text that the token replaces, and its query. */
function at(text: string): string | undefined {
	const {draft, caret} = marked(text);
	const token = tokenAt(draft, caret);
	if (token === undefined) return undefined;
	const written = textOf(draft[caret.line]!, token.start.column, token.end);
	return `${token.kind} ${written} -> ${token.text}${token.suffix === '' ? '' : ` + ${token.suffix}`}`;
}

describe('the token of a path', () => {
	it.each([
		['@|', 'path @ -> '],
		['see @src/a|', 'path @src/a -> src/a'],
		['see @sr|c/a.ts please', 'path @src/a.ts -> src/a.ts'],
		['see |@src', undefined],
		['(@src|)', 'path @src -> src'],
		['"@src|"', 'path @src -> src'],
		['[@a|', 'path @a -> a'],
		['日本語@src|', 'path @src -> src'],
		['（＠src/main.tsx|）を見て', 'path ＠src/main.tsx -> src/main.tsx'],
		['見て、@src|を', 'path @src -> src'],
		['@資料/日|本.md', 'path @資料/日本.md -> 資料/日本.md'],
		['@a.t|s, and', 'path @a.ts -> a.ts'],
		['one\n@two|', 'path @two -> two'],
		['one\ntwo|', undefined],
	])('in %j is %j', (text, token) => {
		expect(at(text)).toBe(token);
	});

	it.each(['someone@example.com|', 'a\\@b|', '5@3|', '@a |', '@a b|', '@"a b"|', '`x@y|', '-@a|', 'x/@a|'])(
		'is absent in %j',
		text => {
			expect(at(text)).toBeUndefined();
		},
	);

	it.each([
		['@"|', 'path @" -> '],
		['@"my notes/a|', 'path @"my notes/a -> my notes/a'],
		['see @"my notes/a b|', 'path @"my notes/a b -> my notes/a b'],
		['@"my no|tes/a.md" and', 'path @"my notes/a.md" -> my notes/a.md'],
		['@"a\\"b c|', 'path @"a\\"b c -> a"b c'],
		['@my\\ notes/a|', 'path @my\\ notes/a -> my notes/a'],
		['@my\\ notes/a| b', 'path @my\\ notes/a -> my notes/a'],
		['say "hello @wor|ld"', 'path @world -> world'],
		['said "a b" @|', 'path @ -> '],
	])('with spaces or quotes in %j is %j', (text, token) => {
		expect(at(text)).toBe(token);
	});

	it.each([
		['@src/a.ts:10-20|', 'path @src/a.ts:10-20 -> src/a.ts + :10-20'],
		['@src/a|.ts:3', 'path @src/a.ts:3 -> src/a.ts + :3'],
		['@src/a.ts#L3|', 'path @src/a.ts#L3 -> src/a.ts + #L3'],
		['@src/a.ts:|', 'path @src/a.ts: -> src/a.ts + :'],
		['@src/a.ts:0|', 'path @src/a.ts:0 -> src/a.ts:0'],
	])('with a range in %j is %j', (text, token) => {
		expect(at(text)).toBe(token);
	});
});

describe('the token of a slash', () => {
	it.each([
		['/|', 'command / -> '],
		['/he|lp', 'command /help -> help'],
		['/help |', undefined],
		[' /he|', 'workflow /he -> he'],
		['do /rev|', 'workflow /rev -> rev'],
		['a\n/rev|', 'workflow /rev -> rev'],
		['見て/rev|', 'workflow /rev -> rev'],
		['/tmp/x|', undefined],
		['/tmp|/x', undefined],
		['a/b|', undefined],
		['</div|', undefined],
		['("/users|', undefined],
	])('in %j is %j', (text, token) => {
		expect(at(text)).toBe(token);
	});
});

describe('a chip in a message', () => {
	const paste: Segment = {type: 'paste', id: '1', chars: 3, lines: 2, content: 'a @'};
	const file: Segment = {type: 'file_ref', path: 'a.ts'};

	it.each<[string, Segment[], boolean]>([
		['a paste', [paste], false],
		['after a paste that ends in a word', [paste, {type: 'text', text: '@x'}], false],
		[
			'after a paste that ends in a space',
			[
				{...paste, content: 'a '},
				{type: 'text', text: '@x'},
			],
			true,
		],
		['after a file', [file, {type: 'text', text: '@x'}], false],
		['across a chip', [{type: 'text', text: '@x'}, file], false],
	])('opens as the pod reads it: %s', (_name, segments, opens) => {
		const draft = fromSegments(segments);
		expect(tokenAt(draft, endOf(draft)) !== undefined).toBe(opens);
	});
});

it('the token begins where the pod begins one', () => {
	const characters = ['', ...Array.from({length: 0x1_1000}, (_, code) => String.fromCodePoint(code))];
	expect(characters.filter(character => mayPrecedeRef(character) !== podMayPrecedeRef(character))).toEqual([]);
	expect(characters.filter(character => mayPrecedeWorkflow(character) !== podMayPrecedeWorkflow(character))).toEqual(
		[],
	);
});

it('the token is shorter than the longest path', () => {
	const drafts = ['@x', '＠x'.repeat(50_000), `@"${'a b'.repeat(40_000)}`].map(draftOf);
	expect(drafts.map(draft => tokenAt(draft, endOf(draft)) !== undefined)).toEqual([true, false, false]);
});
