import {describe, expect, it} from 'vitest';
import {toSegments} from '../../../../src/screen/editor/segments.ts';
import {fakeApp, fakePod, settled, until} from '../../../helpers/fake-app.ts';

const sha256 = 'a'.repeat(64);
const kept: string[] = [];
const pod = () => ({
	...fakePod(),
	async keepImage(data: string) {
		kept.push(data);
		return {ok: true, sha256, extension: 'png'} as const;
	},
});
const clipboardImage = async () => ({ok: true, data: 'iVBOR'}) as const;
const chip = (n: number) => ({type: 'file_ref', path: `pasted-${n}.png`, pasted: sha256});

describe('an image in the clipboard', () => {
	it('becomes a chip where the caret is, with a number of its message', async () => {
		const {app, type, press} = await fakeApp(pod(), {clipboardImage});
		const segments = () => toSegments(app.state.composer.editor.draft);
		type('Look:');
		press('v', {ctrl: true});
		await until(() => segments().length > 1);
		app.handle({type: 'paste', text: '', cut: false});
		await until(() => segments().length > 3);
		expect(segments()).toEqual([
			{type: 'text', text: 'Look: '},
			chip(1),
			{type: 'text', text: ' '},
			chip(2),
			{type: 'text', text: ' '},
		]);
		expect(kept).toEqual(['iVBOR', 'iVBOR']);
	});

	it('begins the next message after /paste', async () => {
		const {app, type, press} = await fakeApp(pod(), {clipboardImage});
		type('/paste');
		press('enter');
		await until(() => toSegments(app.state.composer.editor.draft).length > 0);
		await settled();
		expect(toSegments(app.state.composer.editor.draft)).toEqual([chip(1), {type: 'text', text: ' '}]);
	});

	it('is reported when there is none, and the draft stays', async () => {
		const none = async () => ({ok: false, sentence: 'The clipboard contains no image.'}) as const;
		const {app, type, press, told} = await fakeApp(pod(), {clipboardImage: none});
		type('Look');
		press('v', {ctrl: true});
		await until(() => told().length > 0);
		expect(told()).toEqual(['The clipboard contains no image.']);
		expect(toSegments(app.state.composer.editor.draft)).toEqual([{type: 'text', text: 'Look'}]);
	});
});
