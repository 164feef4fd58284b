import {describe, expect, it} from 'vitest';
import type {Segment} from '../../../../src/pod/protocol.ts';
import {mayBePath} from '../../../../src/screen/control/pastes/paste-effects.ts';
import {pasteText} from '../../../../src/screen/control/keys/keys-in.ts';
import {fakeApp, fakePod, settled} from '../../../helpers/fake-app.ts';

const text = (words: string): Segment => ({type: 'text', text: words});
const file: Segment = {type: 'file_ref', path: 'my file.png'};

async function stage(isThere = true) {
	const asked: string[] = [];
	const pod = {
		...fakePod(),
		async namedPath(pasted: string) {
			asked.push(pasted);
			return isThere ? 'my file.png' : undefined;
		},
	};
	const made = await fakeApp(pod);
	return {...made, asked, paste: (pasted: string) => pasteText(made.app, pasted, false)};
}

describe('a pasted path', () => {
	it.each([`'/x/my file.png' `, 'file:///x/my%20file.png', String.raw`/x/my\ file.png`, `/${'x'.repeat(300)}/a`])(
		'becomes a chip when it names a file: %s',
		async pasted => {
			const {type, paste, press, draft, asked} = await stage();
			type('see ');
			paste(pasted);
			await settled();
			expect(asked).toEqual([pasted]);
			expect(draft()).toEqual([text('see '), file, text(' ')]);
			press('_', {ctrl: true});
			expect(JSON.stringify(draft())).toContain('x');
		},
	);

	it('stays text when it names nothing, or when you have typed meanwhile', async () => {
		const missing = await stage(false);
		missing.paste('/x/gone.png');
		await settled();
		expect(missing.draft()).toEqual([text('/x/gone.png')]);
		const typed = await stage();
		typed.paste('/x/a.png');
		typed.type('!');
		await settled();
		expect(typed.draft()).toEqual([text('/x/a.png!')]);
	});

	it.each(['!cat ', '/add-dir ', 'word', '@'])('stays text after %j', async before => {
		const {type, paste, asked} = await stage();
		type(before);
		paste('/x/a.png');
		await settled();
		expect(asked).toEqual([]);
	});

	it('is never a plain word, several lines or a very long text', () => {
		expect(['test', 'two words', 'a/b\nc', '', ' ', `/${'x'.repeat(20_000)}`].filter(mayBePath)).toEqual([]);
		expect(['README.md', 'src/a', '"x"', String.raw`a\ b`].filter(mayBePath)).toHaveLength(4);
	});
});

describe('Tab beside a paste', () => {
	it('opens it in place, or says that it is too long', async () => {
		const {paste, press, app, told} = await stage();
		paste('line\n'.repeat(20));
		press('tab');
		expect(app.state.composer.editor.draft).toHaveLength(21);
		press('c', {ctrl: true});
		paste('line\n'.repeat(60_000));
		press('tab');
		expect(told().at(-1)).toBe('This paste is too long to open here. Ctrl+G opens the message in your editor.');
	});
});
