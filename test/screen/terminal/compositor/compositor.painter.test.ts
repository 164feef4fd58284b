import {expect, it} from 'vitest';
import {createPainter} from '../../../../src/screen/terminal/compositor/compositor.ts';

it('a painter writes each picture once, all of it after a start or a reset, and nothing while stopped', () => {
	const writes: string[] = [];
	const painter = createPainter({write: (bytes: string) => writes.push(bytes)}, {scrollRegions: true});
	const picture = (row: string) => ({columns: 10, rows: [row, ''], cursor: {x: 0, y: 1}});
	const take = () => writes.splice(0).map(bytes => (bytes.includes('\x1b[J') ? 'whole' : 'changes'));
	painter.paint(picture('a'));
	expect(take()).toEqual([]);
	painter.start();
	painter.paint(picture('a'));
	painter.paint(picture('a'));
	painter.paint(picture('b'));
	expect(take()).toEqual(['whole', 'changes']);
	painter.forget();
	painter.paint(picture('b'));
	expect(take()).toEqual(['whole']);
	painter.stop();
	painter.paint(picture('c'));
	expect(take()).toEqual([]);
	painter.start();
	painter.paint(picture('c'));
	expect(take()).toEqual(['whole']);
});
