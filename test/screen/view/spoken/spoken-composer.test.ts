import {describe, expect, it} from 'vitest';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {spokenCaret, spokenComposer} from '../../../../src/screen/view/spoken/spoken-composer.ts';
import {fakeApp} from '../../../helpers/fake-app.ts';

const size = {columns: 40, rows: 20};

describe('the message for a screen reader', () => {
	it.each([
		['', ['Message: '], {up: 0, x: 9}],
		['hello', ['Message: hello'], {up: 0, x: 14}],
		['日本', ['Message: 日本'], {up: 0, x: 13}],
		['x'.repeat(35), ['Message:', 'x'.repeat(35)], {up: 0, x: 35}],
	])('shows the text %j as the lines %j', async (text, lines, caret) => {
		const {app, type} = await fakeApp();
		type(text);
		const frame = draw(app, size);
		expect(spokenComposer(frame).lines).toEqual(lines);
		expect(spokenCaret(frame)).toEqual(caret);
	});

	it('has the cursor in the edited line when it has two lines', async () => {
		const {app, type, press} = await fakeApp();
		type('one');
		press('j', {ctrl: true});
		type('two');
		press('up');
		const frame = draw(app, size);
		expect(spokenComposer(frame).lines).toEqual(['Message: one', 'two']);
		expect(spokenCaret(frame)).toEqual({up: 1, x: 12});
	});
});
