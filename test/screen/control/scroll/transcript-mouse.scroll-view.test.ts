import {describe, expect, it} from 'vitest';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {textOf} from '../../../../src/screen/spans/row.ts';
import {fakeApp, fakePod} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const size = {columns: 60, rows: 24};

async function stage() {
	const make = createItems();
	const read = (id: string, path: string) => [
		make.call(id, 'read_file', {path}),
		make.result(id, '2 lines', 'one\ntwo\n'),
	];
	const items = [
		make.user('go'),
		make.file('long.txt', 'line\n'.repeat(9)),
		make.assistant('I look'),
		...read('a', 'a.ts'),
		...read('b', 'b.ts'),
		make.assistant('done'),
		make.end(),
	];
	const made = await fakeApp(fakePod(undefined, items), {});
	const shown = () => draw(made.app, size).transcript.rows.map(({row}) => textOf(row));
	shown();
	return {...made, shown};
}

describe('the key that expands', () => {
	it('opens the nearest folded block or group, and closes what it opened', async () => {
		const {press, shown} = await stage();
		const before = shown();
		expect(before).toContain('Read 2 files · a.ts, b.ts');
		press('alt+o');
		expect(shown()).toContain('Read b.ts · 2 lines');
		press('alt+o');
		expect(shown()).toEqual(before);
	});

	it('starts at the top when the view is scrolled', async () => {
		const {app, press, shown} = await stage();
		const {store: transcript} = app.state.transcript;
		app.dispatch({
			type: 'scroll',
			scroll: {
				follow: false,
				id: 'i1',
				index: 0,
				row: 0,
				cut: transcript!.rows(0),
				layout: transcript!.layoutVersion(),
				seen: transcript!.count(),
				seenText: 0,
			},
		});
		shown();
		press('alt+o');
		expect(shown().filter(row => row === 'line')).toHaveLength(9);
	});
});
