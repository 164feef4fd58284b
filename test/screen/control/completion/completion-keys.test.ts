import {textOf} from '../../../../src/screen/spans/row.ts';
import {layoutOf} from '../../../../src/screen/view/layout.ts';
import {describe, expect, it} from 'vitest';
import {update} from '../../../../src/screen/control/app.ts';
import {submit} from '../../../../src/screen/model/composer/composer-state.ts';
import {toSegments} from '../../../../src/screen/editor/segments.ts';
import {createStage, file, workflow} from './stage.ts';

const files = [file('src/a.ts'), file('src/'), file('docs/a.md')];

async function opened(text = '@a', matches = files) {
	const stage = createStage();
	stage.type(text);
	await stage.answer(matches);
	return stage;
}

describe('Enter in the popup', () => {
	it('picks the highlighted entry, adds a space and closes the popup', async () => {
		const stage = await opened('see @a');
		stage.press('enter');
		expect(stage.shown()).toBe('see [@src/a.ts] |');
		expect(stage.draw()).toEqual([]);
		expect(stage.done).toEqual([]);
	});

	it('opens a directory and asks for its contents', async () => {
		const stage = await opened();
		stage.press('down', 'enter');
		expect(stage.shown()).toBe('@src/|');
		await stage.answer([file('src/b.ts')]);
		expect(stage.questions.map(({query}) => query.text)).toEqual(['a', 'src/']);
		stage.press('enter');
		expect(stage.shown()).toBe('[@src/b.ts] |');
	});

	it('opens a quote for a directory with a space in its name', async () => {
		const stage = await opened('@my', [file('my notes/')]);
		stage.press('enter');
		expect(stage.shown()).toBe('@"my notes/|');
		await stage.answer([file('my notes/a b.md')]);
		expect(stage.questions.at(-1)!.query.text).toBe('my notes/');
		stage.press('enter');
		expect(stage.shown()).toBe('[@"my notes/a b.md"] |');
	});

	it('quotes a name with quotes and backslashes', async () => {
		const stage = await opened('@a', [file('a"b\\ c/')]);
		stage.press('enter');
		expect(stage.shown()).toBe('@"a\\"b\\\\ c/|');
		expect(await stage.answer([file('a"b\\ c/d')])).toEqual(['▸ a"b\\ c/d']);
		expect(stage.questions.at(-1)!.query.text).toBe('"a\\"b\\\\ c/');
		stage.press('enter');
		expect(toSegments(stage.app.state.composer.editor.draft)[0]).toEqual({type: 'file_ref', path: 'a"b\\ c/d'});
	});

	it('inserts a chip for a directory whose name has a newline', async () => {
		const stage = await opened('@a', [file('a\nb/')]);
		stage.press('enter');
		expect(toSegments(stage.app.state.composer.editor.draft)[0]).toEqual({type: 'file_ref', path: 'a\nb/'});
	});

	it('submits when no entry matches', async () => {
		const stage = await opened('hi @alice', []);
		expect(stage.draw()).toEqual(['  No matching files or directories.']);
		stage.press('enter');
		await stage.ask();
		expect(stage.done).toEqual(['run hi @alice']);
	});

	it('submits a complete path as a chip', async () => {
		const stage = await opened('see @src/a.ts', [file('src/a.ts.bak'), file('src/a.ts')]);
		stage.press('enter');
		await stage.ask();
		expect(stage.done).toEqual(['run see [@src/a.ts]']);
	});

	it('submits your text before any entry is shown', async () => {
		const stage = createStage();
		stage.type('@a');
		stage.draw();
		await stage.ask();
		await stage.questions[0]!.answer(files);
		stage.press('enter');
		await stage.ask();
		expect(stage.done).toEqual(['run @a']);
	});

	it('picks the highlighted entry after another letter if it still matches, and otherwise submits', async () => {
		const fits = await opened('@a');
		fits.type('.t');
		fits.press('enter');
		expect(fits.shown()).toBe('[@src/a.ts] |');
		const other = await opened('@a');
		other.type('.m');
		other.press('enter');
		await other.ask();
		expect(other.done).toEqual(['run @a.m']);
	});

	it('picks the entry to which arrows in the same read moved', async () => {
		const stage = await opened();
		stage.press('down', 'down', 'enter');
		expect(stage.shown()).toBe('[@docs/a.md] |');
	});

	it('does nothing when arrows in the same read leave the visible entries', async () => {
		const stage = await opened(
			'@a',
			Array.from({length: 30}, (_, index) => file(`a${index}`)),
		);
		stage.press('up', 'enter', 'tab');
		expect([stage.shown(), stage.done]).toEqual(['@a|', []]);
		stage.draw();
		stage.press('enter');
		expect(stage.shown()).toBe('[@a29] |');
	});

	it('inserts a newline after a backslash', async () => {
		const stage = await opened('@a\\', [file('a\\')]);
		stage.press('enter');
		expect(stage.shown()).toBe('@a\n|');
	});

	it('uses the remapped key', async () => {
		const stage = createStage({remapped: {submit: ['ctrl+x'], pause: ['ctrl+q']}});
		stage.type('@a');
		await stage.answer(files);
		stage.press('ctrl+x');
		expect(stage.shown()).toBe('[@src/a.ts] |');
		stage.type('@a');
		await stage.answer(files);
		stage.press('ctrl+q');
		expect(stage.draw()).toEqual([]);
	});
});

describe('Tab in the popup', () => {
	it('picks an entry and leaves the caret after the chip, ready for a range', async () => {
		const stage = await opened();
		stage.press('tab');
		expect(stage.shown()).toBe('[@src/a.ts]|');
		stage.type(':10-20 and');
		expect(toSegments(stage.app.state.composer.editor.draft)).toEqual([
			{type: 'file_ref', path: 'src/a.ts', range: {first: 10, last: 20}},
			{type: 'text', text: ' and'},
		]);
	});

	it('opens a directory', async () => {
		const stage = await opened();
		stage.press('down', 'tab');
		expect(stage.shown()).toBe('@src/|');
	});

	it('completes a command without running it', async () => {
		const stage = createStage();
		stage.type('/he');
		stage.draw();
		stage.press('tab');
		expect(stage.shown()).toBe('/help|');
		expect(stage.draw()[0]).toMatch(/^▸ \/help/);
	});
});

describe('a slash in the popup', () => {
	it('opens a highlighted directory', async () => {
		const stage = await opened('@a');
		stage.press('down');
		stage.type('/');
		expect(stage.shown()).toBe('@src/|');
	});

	it('opens the directory that begins with the text, not one that merely contains it', async () => {
		const stage = await opened('@docs', [file('old/docs/'), file('docs/')]);
		stage.type('/');
		expect(stage.shown()).toBe('@docs/|');
	});

	it('does nothing after a directory that is open already', async () => {
		const stage = await opened('@src/', [file('src/a.ts')]);
		stage.type('/');
		expect(stage.shown()).toBe('@src/|');
	});

	it.each(['@', '@..', '@~', '@a/..', '@https:', '@https:/'])('is literal after %s', async text => {
		const stage = await opened(text, [file('src/')]);
		stage.type('/');
		expect(stage.shown()).toBe(`${text}/|`);
	});
});

describe('Esc in the popup', () => {
	it('closes the popup for this token and does not pause the run, and another token opens it', async () => {
		const stage = await opened('x @a');
		stage.press('escape');
		expect(stage.draw()).toEqual([]);
		stage.type('b');
		await stage.ask();
		expect(stage.draw()).toEqual([]);
		expect(stage.questions).toHaveLength(1);
		stage.press('enter');
		await stage.ask();
		expect(stage.done).toEqual(['run x @ab']);
		stage.type('@a');
		expect(await stage.answer(files)).toHaveLength(3);
		stage.press('escape', 'backspace', 'backspace');
		stage.type('@a');
		expect(await stage.answer(files)).toHaveLength(3);
	});

	it('pauses the run once the popup is no longer on the screen', async () => {
		const stage = createStage();
		await stage.connect();
		stage.status({kind: 'running', asks: [], queue: []});
		stage.type('do /nothing');
		await stage.answer([]);
		stage.press('escape');
		await stage.ask();
		expect(stage.done).toEqual(['pause']);
	});
});

describe('the arrow keys', () => {
	it('move the highlight around the ends and by pages, while other keys edit the message', async () => {
		const stage = await opened();
		const highlighted = () => stage.draw().find(row => row.startsWith('▸'));
		stage.press('up');
		expect(highlighted()).toBe('▸ docs/a.md');
		stage.press('ctrl+n');
		expect(highlighted()).toBe('▸ src/a.ts');
		stage.press('pagedown');
		expect(highlighted()).toBe('▸ docs/a.md');
		stage.press('ctrl+p');
		expect(highlighted()).toBe('▸ src/');
		stage.press('left');
		expect(stage.shown()).toBe('@|a');
		expect(highlighted()).toBe('▸ src/');
		stage.press('left');
		expect(stage.draw()).toEqual([]);
	});

	it('move a page by as many entries as the popup shows', async () => {
		const stage = await opened(
			'@a',
			Array.from({length: 30}, (_, index) => file(`a${index}`)),
		);
		stage.press('pagedown', 'pagedown');
		expect(stage.draw().at(-1)).toBe('▸ a10');
		stage.app.dispatch({type: 'resize', size: {columns: 60, rows: 8}});
		stage.press('pageup');
		expect(stage.app.state.completion.popup.selected).toBe(6);
	});

	it('do not open the popup when they only pass a token', async () => {
		const stage = createStage();
		stage.type('@a b');
		stage.press('left', 'left');
		expect(stage.shown()).toBe('@a| b');
		await stage.ask();
		expect(stage.draw()).toEqual([]);
	});

	it('move through the history when an earlier prompt ends in a token', async () => {
		const {update} = await import('../../../../src/screen/control/app.ts');
		const stage = createStage();
		for (const text of ['first', 'see @alice']) update(stage.app, {type: 'sent', segments: [{type: 'text', text}]});
		stage.press('up');
		await stage.ask();
		expect([stage.shown(), stage.questions.length]).toEqual(['see @alice|', 0]);
		stage.press('up');
		expect(stage.shown()).toBe('first|');
		stage.press('down', 'down');
		stage.type('@a');
		expect(await stage.answer(files)).toHaveLength(3);
	});
});

describe('a slash command', () => {
	it('runs on Enter when it has no argument, and is completed otherwise', async () => {
		const stage = createStage();
		stage.type('/qu');
		stage.draw();
		stage.press('enter');
		await stage.ask();
		expect(stage.done).toEqual(['run /quit']);
		const other = createStage();
		other.type('/cop');
		other.draw();
		other.press('enter');
		await other.ask();
		expect([other.shown(), other.done]).toEqual(['/copy |', []]);
	});

	it('runs at once when typed in full, whatever the popup shows', async () => {
		const stage = createStage();
		stage.type('/resume');
		stage.press('enter');
		await stage.ask();
		expect(stage.done).toEqual(['run /resume']);
	});

	it('wins over a workflow of the same name, while any other workflow becomes a chip', async () => {
		const stage = createStage();
		stage.type('/re');
		expect(await stage.answer([workflow('resume'), workflow('review')])).toEqual([
			expect.stringMatching(/^▸ \/resume \[id\] +Resume/),
			expect.stringMatching(/^ {2}\/rename \[TITLE\] +Name/),
			expect.stringMatching(/^ {2}\/rewind +Rewind/),
			expect.stringMatching(/^ {2}\/request \[id\] +Show/),
			expect.stringMatching(/^ {2}\/review +Does review/),
		]);
		stage.press('down', 'down', 'down', 'down', 'enter');
		stage.type('the diff');
		expect(toSegments(stage.app.state.composer.editor.draft)).toEqual([
			{type: 'workflow', slug: 'review'},
			{type: 'text', text: ' the diff'},
		]);
	});

	it('is not offered elsewhere in the message', async () => {
		const stage = createStage();
		stage.type('now /he');
		expect(await stage.answer([workflow('hero')])).toEqual(['▸ /hero  Does hero']);
	});
});

it('a range at the end of the token stays with the chip', async () => {
	const stage = await opened('@a:1');
	stage.type('0-20');
	await stage.ask();
	expect(stage.questions.map(({query}) => query.text)).toEqual(['a']);
	stage.press('enter');
	expect(stage.shown()).toBe('[@src/a.ts:10-20] |');
});

it('an entry is not picked when the last frame did not show the popup', async () => {
	const stage = await opened();
	await stage.connect();
	stage.status({
		kind: 'running',
		asks: [{id: 'a', title: 't', detail: '', choices: [{choice: 'deny', label: 'No'}]}],
		queue: [],
	});
	stage.draw();
	stage.status({kind: 'running', asks: [], queue: []});
	stage.press('tab');
	expect(stage.shown()).toBe('@a|');
	expect(stage.draw()[0]).toBe('▸ src/a.ts');
	stage.press('tab');
	expect(stage.shown()).toBe('[@src/a.ts]|');
});

it('the state stays the same when the same popup is drawn again', async () => {
	const stage = await opened();
	const {completion} = stage.app.state;
	stage.draw();
	expect(stage.app.state.completion).toBe(completion);
});

it('the card on the screen gets the keys instead of the popup', async () => {
	const stage = await opened();
	await stage.connect();
	stage.status({
		kind: 'running',
		asks: [{id: 'a', title: 't', detail: '', choices: [{choice: 'deny', label: 'No'}]}],
		queue: [],
	});
	expect(stage.draw()).toEqual([]);
	expect(layoutOf(stage.app.state).above.hint.map(textOf)).toEqual([
		'Enter to queue this message; the card stays open',
	]);
	stage.press('tab');
	expect(stage.shown()).toBe('@a|');
});

it.each(['refused', 'returned', 'replace'] as const)(
	'a message that returns as %s with a token at its end opens no popup until you type',
	async type => {
		const stage = await opened('see @a');
		stage.press('escape', 'enter');
		const {draft} = stage.app.state.composer.editor;
		if (type === 'refused')
			stage.app.dispatch({type: 'set composer', composer: submit(stage.app.state.composer).state});
		expect(toSegments(draft)).toEqual([]);
		update(stage.app, {type, segments: [{type: 'text', text: 'see @a'}]});
		await stage.ask();
		expect(stage.draw()).toEqual([]);
		stage.press('enter');
		expect(stage.done.at(-1)).toBe('run see @a');
		update(stage.app, {type: 'returned', segments: [{type: 'text', text: 'see @'}]});
		stage.type('a');
		expect(await stage.answer([file('src/a.ts')])).toEqual(['▸ src/a.ts']);
	},
);
