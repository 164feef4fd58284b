import {describe, expect, it} from 'vitest';
import {type Segment, flatten} from '../../../../src/pod/protocol.ts';
import {
	actionOfKey,
	compose,
	createComposer,
	editOf,
	submit,
	type ComposerAction,
	type ComposerState,
} from '../../../../src/screen/model/composer/composer-state.ts';
import {asidesOf} from '../../../../src/screen/model/composer/draft-history.ts';
import {toSegments} from '../../../../src/screen/editor/segments.ts';
import {actionNames, actions, createKeymap} from '../../../../src/screen/model/keys/keymap.ts';
import {makeKey} from '../../../../src/screen/terminal/input/keys/key-names.ts';

const text = (words: string): Segment[] => [{type: 'text', text: words}];
const insert = (words: string): ComposerAction => ({type: 'insert', text: words});

function run(state: ComposerState, ...actions: readonly ComposerAction[]): ComposerState {
	return actions.reduce(compose, state);
}

function words({editor}: ComposerState): string {
	return flatten(toSegments(editor.draft));
}

describe('texts that were typed together', () => {
	it.each([false, true])('change the draft and its undo steps as if each came alone, with vim %s', hasVim => {
		const texts = ['f', 'i', 'x', ' ', 'e\u0301', '\n', '@', 'a', ':', '3', ' ', 'now'];
		const state = run(createComposer(80, hasVim), insert('before '));
		expect(run(state, {type: 'typed', texts})).toEqual(run(state, ...texts.map(insert)));
	});
});

describe('drafts that were set aside', () => {
	const restored = (...before: readonly ComposerAction[]) =>
		run(createComposer(), ...before, insert('recalled'), {type: 'set aside', drafts: [text('one'), text('two')]});

	it.each([
		['in a new session', []],
		['after messages', [{type: 'sent', segments: text('hello')} as const]],
	])('are shown by Down, %s', (_, before) => {
		const state = restored(...before);
		const [down, again] = [run(state, {type: 'next'}), run(state, {type: 'next'}, {type: 'next'})];
		expect([words(state), words(down), words(again)]).toEqual(['recalled', 'one', 'two']);
		expect(words(run(again, {type: 'previous'}, {type: 'previous'}))).toBe('recalled');
	});

	it('are those that differ from their messages and are not on the screen', () => {
		const sent = run(createComposer(), {type: 'sent', segments: text('hello')}, insert('unsent'));
		const recalled = run(sent, {type: 'previous'});
		const asides = ({history}: ComposerState) => asidesOf(history).map(draft => flatten(toSegments(draft)));
		expect([asides(sent), asides(recalled)]).toEqual([[], ['unsent']]);
		expect(asides(run(recalled, insert('!'), {type: 'next'}))).toEqual(['hello!']);
	});
});

describe('Enter in the composer', () => {
	it('keeps the message and returns its segments', () => {
		const {state, segments} = submit(run(createComposer(), insert('hello')));
		expect(segments).toEqual(text('hello'));
		expect(words(state)).toBe('');
		expect(state.held).toBeDefined();
	});

	it('inserts a newline after a backslash', () => {
		const {state, segments} = submit(run(createComposer(), insert('one\\')));
		expect(segments).toBeUndefined();
		expect(words(state)).toBe('one\n');
	});

	it('returns no segments and changes nothing when the message is blank', () => {
		const blank = run(createComposer(), insert(' \n'));
		expect(submit(blank)).toEqual({state: blank, segments: []});
	});

	it('sends nothing else and loses nothing while it keeps a message', () => {
		const {state} = submit(run(createComposer(), insert('one')));
		const second = run(state, insert('two'));
		expect(submit(second)).toEqual({state: second});
	});
});

describe('a receipt', () => {
	const held = submit(run(createComposer(), insert('first'))).state;

	it('drops the message when it accepts it', () => {
		expect(compose(held, {type: 'accepted'}).held).toBeUndefined();
	});

	it('restores the message and its undo when it refuses it', () => {
		const back = compose(held, {type: 'refused'});
		expect(words(back)).toBe('first');
		expect(back.held).toBeUndefined();
		expect(words(compose(back, {type: 'undo'}))).toBe('');
	});

	it('puts a refused message before newer text and keeps the caret', () => {
		const back = run(held, insert('second'), {type: 'move', to: 'left'}, {type: 'refused'}, insert('!'));
		expect(words(back)).toBe('first\nsecon!d');
	});

	it('with a returned message puts that message before the current text', () => {
		expect(words(run(createComposer(), insert('now'), {type: 'returned', segments: text('queued')}))).toBe(
			'queued\nnow',
		);
		expect(words(run(createComposer(), {type: 'returned', segments: text('queued')}))).toBe('queued');
	});
});

describe('earlier prompts', () => {
	const sent = run(
		createComposer(),
		{type: 'sent', segments: text('one')},
		{type: 'sent', segments: text('two')},
		{type: 'sent', segments: text('two')},
	);

	it('are recalled with up and down at the edges, and the current text is kept', () => {
		const draft = run(sent, insert('draft'));
		const steps: string[] = [];
		let state = draft;
		for (const type of ['up', 'up', 'up', 'down', 'down', 'down'] as const) {
			state = compose(state, {type});
			steps.push(words(state));
		}
		expect(steps).toEqual(['two', 'one', 'one', 'two', 'draft', 'draft']);
	});

	it('keep an edit until you send something', () => {
		const edited = run(sent, {type: 'previous'}, insert('!'), {type: 'previous'}, {type: 'next'});
		expect(words(edited)).toBe('two!');
		const after = run(submit(edited).state, {type: 'accepted'}, {type: 'sent', segments: text('two!')});
		expect([
			words(compose(after, {type: 'previous'})),
			words(run(after, {type: 'previous'}, {type: 'previous'})),
		]).toEqual(['two!', 'two']);
	});

	it('move the caret first when the text has several rows', () => {
		const state = run(sent, insert('a\nb'), {type: 'up'});
		expect(words(state)).toBe('a\nb');
		expect(words(run(state, {type: 'up'}))).toBe('two');
	});

	it('keep your place when another one arrives', () => {
		const state = run(sent, insert('draft'), {type: 'up'}, {type: 'sent', segments: text('three')});
		expect(words(state)).toBe('two');
	});

	it('keep the numbers of their pastes, and the next paste gets a new one', () => {
		const paste: Segment = {type: 'paste', id: '7', chars: 3, lines: 2, content: 'a\nb'};
		const state = run(
			createComposer(),
			{type: 'sent', segments: [paste]},
			{type: 'up'},
			{type: 'paste', text: 'c\nd'},
		);
		expect(toSegments(state.editor.draft)).toMatchObject([{id: '7'}, {id: '8'}]);
	});
});

it('the keys of the composer map to edits, to text or to nothing', () => {
	const {keymap} = createKeymap();
	expect(actionOfKey(makeKey('a', {text: 'A', shift: true}), keymap)).toEqual({type: 'insert', text: 'A'});
	expect(actionOfKey(makeKey('j', {ctrl: true}), keymap)).toEqual({type: 'insert', text: '\n'});
	expect(actionOfKey(makeKey('pageup'), keymap)).toBeUndefined();
	expect(actionOfKey(makeKey('f9'), keymap)).toBeUndefined();
});

it("every action of the composer's keys is one of its edits", () => {
	expect(actionNames.filter(name => actions[name].area === 'composer' && editOf(name) === undefined)).toEqual([]);
});
