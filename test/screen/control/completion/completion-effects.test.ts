import {nextCompletionChange} from '../../../../src/screen/view/completion/popup-view.ts';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Match, Segment} from '../../../../src/pod/protocol.ts';
import {sanitizeLine} from '../../../../src/text/sanitize.ts';
import {fromSegments, toSegments} from '../../../../src/screen/editor/segments.ts';
import {createStage, file, workflow} from './stage.ts';

const long = process.env['INKPOD_TEST'] === 'long';

describe('the answers of the pod to a completion', () => {
	it('are requested one at a time, and only the latest query follows', async () => {
		const stage = createStage();
		stage.type('@a');
		stage.draw();
		expect(stage.questions).toEqual([]);
		await stage.ask();
		stage.type('bc');
		await stage.ask();
		stage.type('d');
		await stage.ask();
		expect(stage.questions.map(({query}) => query.text)).toEqual(['a']);
		await stage.questions[0]!.answer([file('abcd'), file('abc')]);
		await stage.ask();
		expect(stage.questions.map(({query}) => query.text)).toEqual(['a', 'abcd']);
		expect(stage.draw()).toEqual([]);
	});

	it('are dropped when they belong to another query, even if they arrive last', async () => {
		const stage = createStage();
		stage.type('@a');
		await stage.ask();
		stage.press('backspace', 'backspace');
		stage.type('see @b');
		await stage.questions[0]!.answer([file('wrong')]);
		await stage.answer([file('b')]);
		expect(stage.questions.map(({query}) => query.text)).toEqual(['a', 'b']);
		expect(stage.draw()).toEqual(['▸ b']);
	});

	it('keep matching entries on the screen until the next answers arrive', async () => {
		const stage = createStage();
		stage.type('@a');
		await stage.answer([file('a.ts'), file('ab.ts'), file('ba.ts')]);
		stage.type('b');
		expect(stage.draw()).toEqual(['▸ ab.ts']);
		expect(await stage.answer([file('xab.ts'), file('ab.ts')])).toEqual(['▸ xab.ts', '  ab.ts']);
	});

	it('are requested again while the index is built and the popup is open, and the highlight stays', async () => {
		const stage = createStage();
		stage.type('@a');
		expect(await stage.answer([file('a1'), file('a2')], {indexing: true})).toEqual(['▸ a1', '  a2', '  indexing…']);
		stage.press('down');
		await stage.wait(150);
		expect(stage.questions).toHaveLength(2);
		await stage.questions[1]!.answer([file('a0'), file('a1'), file('a2')], {indexing: true});
		expect(stage.draw()).toEqual(['  a0', '  a1', '▸ a2', '  indexing…']);
		expect(stage.waiting()).toBe(1);
		stage.press('escape');
		expect(stage.waiting()).toBe(0);
		await stage.wait(150);
		expect(stage.questions).toHaveLength(2);
	});

	it('show an error when they fail', async () => {
		const stage = createStage();
		stage.type('@a');
		await stage.ask();
		await stage.questions[0]!.fail(new Error('gone\x1b[2J'));
		expect(stage.draw()).toEqual(['  Completion failed: gone␛[2J']);
		stage.type('b');
		expect(await stage.answer([file('ab')])).toEqual(['▸ ab']);
	});

	it('show a waiting note when they are slow', async () => {
		const stage = createStage();
		stage.type('@a');
		expect(stage.draw()).toEqual([]);
		expect(nextCompletionChange(stage.app.state)).toBe(150);
		await stage.wait(150);
		expect(stage.draw()).toEqual(['  searching…']);
		expect(nextCompletionChange(stage.app.state)).toBeUndefined();
	});

	it('are requested once a pod is connected, for the latest query', async () => {
		const stage = createStage({connected: false});
		stage.type('@a');
		await stage.wait(150);
		expect(stage.draw()).toEqual(['  Opening the session…']);
		stage.type('b');
		await stage.connect();
		expect(await stage.answer([file('ab')])).toEqual(['▸ ab']);
		expect(stage.questions.map(({query}) => query.text)).toEqual(['ab']);
	});

	it('change nothing after you leave the screen', async () => {
		const stage = createStage();
		stage.type('@a');
		await stage.ask();
		stage.app.dispatch({type: 'leave screen'});
		await stage.questions[0]!.answer([file('a')], {indexing: true});
		expect([stage.draw(), stage.waiting()]).toEqual([[], 0]);
	});
});

type Move =
	| {readonly type: 'type'; readonly text: string}
	| {readonly type: 'press'; readonly key: string}
	| {readonly type: 'draw' | 'ask' | 'wait'}
	/** Sends the query, answers the latest one and draws. */
	| {readonly type: 'round'; readonly matches: readonly Match[]}
	| {readonly type: 'answer'; readonly which: number; readonly matches: readonly Match[]; readonly indexing: boolean};

const names = ['a.ts', 'src/', 'src/a.ts', 'my notes/', 'my notes/b c.md', 'x\ny/', '日本/語.md', 'a\x1b[2J', 'a"b\\c'];
const picking = ['enter', 'tab'];
const keys = [
	'up',
	'down',
	'escape',
	'left',
	'right',
	'backspace',
	'home',
	'ctrl+n',
	'pagedown',
	...picking,
	...picking,
	...picking,
];
const matchesArbitrary = fc.array(
	fc.oneof(fc.constantFrom(...names).map(file), fc.constantFrom('review', 'help', 'a').map(workflow)),
	{maxLength: 5},
);
const moveArbitrary: fc.Arbitrary<Move> = fc.oneof(
	{
		weight: 8,
		arbitrary: fc
			.constantFrom('@', ' @', ' @', ' @s', 'a', '/', ' /', 's', ' ', '"', ':1', '\\', '＠', '日', ' see @a')
			.map(text => ({type: 'type' as const, text})),
	},
	{weight: 8, arbitrary: fc.constantFrom(...keys).map(key => ({type: 'press' as const, key}))},
	{weight: 5, arbitrary: fc.constantFrom('draw', 'ask', 'wait').map(type => ({type: type as 'draw'}))},
	{weight: 8, arbitrary: matchesArbitrary.map(matches => ({type: 'round' as const, matches}))},
	{
		weight: 5,
		arbitrary: fc.record({
			type: fc.constant('answer' as const),
			which: fc.nat(3),
			matches: matchesArbitrary,
			indexing: fc.boolean(),
		}),
	},
);

/** Returns the new chips, as the popup names them. */
function picked(before: readonly Segment[], now: readonly Segment[]): string[] {
	const chips = (segments: readonly Segment[]) =>
		segments.flatMap(segment =>
			segment.type === 'file_ref'
				? [sanitizeLine(segment.path)]
				: segment.type === 'workflow'
					? [`/${segment.slug}`]
					: [],
		);
	const count = chips(now).length - chips(before).length;
	return count > 0 ? chips(now).filter(name => !chips(before).includes(name)) : [];
}

it('in any order of events only keys change the draft, and Enter picks only entries on the screen', async () => {
	let picks = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(moveArbitrary, {maxLength: 60, size: 'max'}), async moves => {
			const stage = createStage();
			let visible = '';
			for (const move of moves) {
				const before = stage.shown();
				const chips = toSegments(stage.app.state.composer.editor.draft);
				if (move.type === 'type') stage.type(move.text);
				else if (move.type === 'press') stage.press(move.key);
				else if (move.type === 'draw') visible = stage.draw().join('\n');
				else if (move.type === 'round') {
					await stage.ask();
					await stage.questions.at(-1)?.answer(move.matches);
					visible = stage.draw().join('\n');
				} else if (move.type === 'answer')
					await stage.questions.at(-1 - move.which)?.answer(move.matches, {indexing: move.indexing});
				else await (move.type === 'ask' ? stage.ask() : stage.wait(150));
				if (!['type', 'press'].includes(move.type)) expect(stage.shown()).toBe(before);
				const segments = toSegments(stage.app.state.composer.editor.draft);
				const names = picked(chips, segments);
				picks += names.length;
				for (const name of names) expect(visible).toContain(name);
				if (move.type === 'press' && !picking.includes(move.key)) expect(names).toEqual([]);
				expect(toSegments(fromSegments(segments))).toEqual(segments);
			}
		}),
		{numRuns: long ? 10_000 : 300, seed: 41},
	);
	expect(picks).toBeGreaterThan(long ? 1000 : 30);
});
