import {expect, it} from 'vitest';
import type {QueuedMessage} from '../../../src/pod/protocol.ts';
import {draw} from '../../../src/screen/mount/open-screen.ts';
import {rowsAbove, rowsBetween} from '../../../src/screen/view/layout.ts';
import {fakeApp, fakePod, running} from '../../helpers/fake-app.ts';

const queue = ['one', 'two', 'three', 'four'].map((id): QueuedMessage => ({
	id,
	state: 'queued',
	preview: [{type: 'text', text: id}],
}));

it.each([
	[60, 20],
	[60, 12],
	[40, 10],
	[40, 8],
])(
	'a screen of %d by %d has as many rows as the terminal when alerts and the queue need more',
	async (columns, rows) => {
		const {app, type} = await fakeApp(fakePod({...running, queue}));
		type('a draft');
		for (const text of ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'])
			app.dispatch({type: 'alert', alert: {level: 'error', text}});
		const frame = draw(app, {columns, rows});
		const below = [frame.rule, rowsAbove(frame), frame.composer.rows, frame.status].flat();
		expect(frame.transcriptHeight + rowsBetween(frame).length + below.length).toBe(rows);
		expect(frame.transcriptHeight).toBeGreaterThanOrEqual(1);
	},
);
