import {describe, expect, it} from 'vitest';
import {draw} from '../../../src/screen/mount/open-screen.ts';
import {areaAt} from '../../../src/screen/control/geometry.ts';
import {fakeApp, fakePod, running} from '../../helpers/fake-app.ts';
import {createItems} from '../../helpers/items.ts';

const size = {columns: 60, rows: 24};

describe('the regions of a frame', () => {
	it('cover the screen from top to bottom', async () => {
		const make = createItems();
		const turnOf = (turn: number) => [make.user(`question ${turn}`), make.assistant(`answer ${turn}`)];
		const items = Array.from({length: 100}, (_, turn) => turnOf(turn)).flat();
		const {app, type} = await fakeApp(fakePod(running, items));
		type('a draft');
		app.dispatch({type: 'alert', alert: {level: 'info', text: 'told'}});
		const frame = draw(app, size);
		const areas = Array.from({length: size.rows}, (_, y) => areaAt(frame, y).area);
		expect([...new Set(areas)]).toEqual(['transcript', 'between', 'rule', 'composer', 'status']);
		expect(areas.indexOf('composer')).toBe(frame.cursor.y);
		expect(areas.lastIndexOf('transcript') + 1).toBe(frame.transcriptHeight);
	});
});
