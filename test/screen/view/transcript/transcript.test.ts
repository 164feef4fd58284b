import {describe, expect, it} from 'vitest';
import {layoutOf} from '../../../../src/screen/view/layout.ts';
import {countedScreen, total} from '../../../helpers/counted-screen.ts';
import {running} from '../../../helpers/fake-app.ts';

describe('the transcript on the screen', () => {
	it("renders at most 5 components for a streamed token, including Ink's own", async () => {
		const screen = await countedScreen();
		const {pod, make} = screen;
		pod.emit({type: 'status', status: running});
		const begin = make.assistant('');
		pod.emit({type: 'delta', id: begin.id, text: 'An answer', begin});
		await screen.update();
		pod.emit({type: 'delta', id: begin.id, text: ' goes'});
		expect(await screen.update()).toEqual({VisibleBlocks: 1, ShownBlock: 1, RowView: 1, Text: 1});
		pod.emit({type: 'delta', id: begin.id, text: ' on'});
		expect(total(await screen.update())).toBeLessThanOrEqual(5);
	});

	it('renders at most the visible rows and 3 components for a scrolled row', async () => {
		const screen = await countedScreen();
		screen.press('up', {shift: true});
		await screen.update();
		screen.press('up', {shift: true});
		const rendered = await screen.update();
		expect(rendered['VisibleBlocks']).toBe(1);
		expect(total(rendered)).toBeLessThanOrEqual(layoutOf(screen.app.state).transcript.rows.length + 3);
	});

	it('renders nothing for a key in the composer', async () => {
		const screen = await countedScreen();
		screen.type('a');
		await screen.update();
		screen.type('b');
		expect(Object.keys(await screen.update())).not.toContain('VisibleBlocks');
	});
});
