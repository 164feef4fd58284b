import {describe, expect, it} from 'vitest';
import * as vim from '../../../../src/screen/editor/vim/index.ts';
import {flatten} from '../../../../src/pod/protocol.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {fakeApp, fakePod, idle, running, settled} from '../../../helpers/fake-app.ts';
import type {TestOptions} from '../../../helpers/test-app.ts';

async function opened(options: Partial<TestOptions> = {}, status = idle) {
	const made = await fakeApp(fakePod(status), {vim, ...options});
	const {app, draft} = made;
	return {
		...made,
		text: () => flatten(draft()),
		mode: () => app.state.composer.vim?.mode,
	};
}

describe('the composer with vim’s keys', () => {
	it('begins in insert mode, and has the composer’s keys there', async () => {
		const {type, press, text, mode} = await opened();
		type('one two');
		press('w', {ctrl: true});
		expect([mode(), text()]).toEqual(['insert', 'one ']);
		press('escape');
		expect(mode()).toBe('normal');
		type('0iX');
		press('escape');
		expect([mode(), text()]).toEqual(['normal', 'Xone ']);
	});

	it('sends with Enter in each mode, and begins the next message in insert mode', async () => {
		const {type, press, pod, mode, text} = await opened();
		type('one');
		press('escape');
		press('enter');
		await settled();
		expect(pod.said).toMatchObject([{method: 'run', segments: [{type: 'text', text: 'one'}]}]);
		expect([mode(), text()]).toEqual(['insert', '']);
		type('two');
		press('escape');
		type('v');
		press('enter');
		await settled();
		expect(pod.said).toHaveLength(2);
	});

	it('stops a turn with Esc in normal mode, and in insert mode if nothing is typed', async () => {
		const {type, press, pod, mode} = await opened({}, running);
		press('escape');
		await settled();
		expect([pod.said, mode()]).toEqual([[{method: 'pause'}], 'insert']);
		type('draft');
		press('escape');
		await settled();
		expect([pod.said.length, mode()]).toEqual([1, 'normal']);
		press('escape');
		await settled();
		expect(pod.said).toHaveLength(2);
	});

	it('forgets an unfinished command on Esc, and stops nothing', async () => {
		const {type, press, pod, text} = await opened({}, running);
		type('one two');
		press('escape');
		type('2d');
		press('escape');
		type('x');
		await settled();
		expect([pod.said, text()]).toEqual([[], 'one tw']);
	});

	it('recalls prompts with k and j at the edge of the draft', async () => {
		const {type, press, app, text} = await opened();
		app.dispatch({type: 'compose', action: {type: 'sent', segments: [{type: 'text', text: 'before'}]}});
		press('escape');
		type('k');
		expect(text()).toBe('before');
		expect(app.state.composer.editor.cursor.column).toBe(5);
		type('j');
		expect(text()).toBe('');
	});

	it.each(['/', '@', '!'])('begins a message with %s on an empty draft', async sign => {
		const {type, press, mode, text} = await opened();
		press('escape');
		type(sign);
		expect([mode(), text()]).toEqual(['insert', sign]);
	});

	it('copies to the clipboard with "+y, and puts it with "+p', async () => {
		const copied: string[] = [];
		const {type, press, text} = await opened({
			copy: async value => {
				copied.push(value);
				return {ok: true, by: 'terminal'};
			},
			clipboardText: async () => ({ok: true, text: 'from outside'}),
		});
		type('one two');
		press('escape');
		type('0"+yw');
		await settled();
		expect(copied).toEqual(['one ']);
		type('"+P');
		await settled();
		expect(text()).toBe('from outsideone two');
	});

	it('says why the clipboard cannot be read, and forgets the command', async () => {
		const {type, press, text, told} = await opened({
			clipboardText: async () => ({ok: false, sentence: 'The clipboard contains no text.'}),
		});
		type('one');
		press('escape');
		type('"+p');
		await settled();
		type('x');
		expect([text(), told()]).toEqual(['on', ['The clipboard contains no text.']]);
	});

	it('shows the mode by the shape of the cursor', async () => {
		const shapes: string[] = [];
		const {type, press} = await opened({onCursorShape: shape => shapes.push(shape)});
		type('a');
		press('escape');
		type('v');
		press('escape');
		type('R');
		press('escape');
		expect(shapes).toEqual(['block', 'block', 'block', 'underline', 'block']);
	});

	it('shows the mode, the begun command and the selection', async () => {
		const {type, press, app} = await opened();
		const row = () => draw(app, {columns: 100, rows: 20}).status.map(plainText).join('\n');
		expect(row()).toContain('INSERT');
		type('one two');
		press('escape');
		type('"a2d');
		expect(row()).toContain('NORMAL "a2d');
		press('escape');
		type('vb');
		expect(row()).toContain('VISUAL');
		const marked = draw(app, {columns: 100, rows: 20})
			.composer.rows.flatMap(({spans}) => spans)
			.filter(({style}) => style === 'selection');
		expect(marked.map(({text}) => text)).toEqual(['two']);
	});
});
