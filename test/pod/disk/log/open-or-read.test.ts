import {readFile, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {openOrReadSession} from '../../../../src/pod/disk/log/open-or-read.ts';
import {createStreamLog} from '../../../../src/pod/disk/log/stream-file.ts';
import {systemClock} from '../../../../src/worker/index.ts';
import {createItems} from '../../../helpers/items.ts';
import {failed, faultyFiles, namesIn, storedSession, systemError, tempHome, user, type Fault} from '../fixture.ts';

const clock = systemClock();
const items = [user('a', '1'), user('b', '2')];

/** The first operation that fails on such a disk, and its error. */
const disks: ReadonlyArray<readonly [name: string, fault: Fault, reason: string]> = [
	['read-only disk', (operation, path) => fails(operation === 'open' && path.includes('lock'), 'EROFS'), 'read_only'],
	['full disk', (operation, path) => fails(operation === 'write' && path.includes('lock'), 'ENOSPC'), 'no_space'],
	[
		'folder of another user',
		(operation, path) => fails(operation === 'open' && path.includes('lock'), 'EACCES'),
		'denied',
	],
];

function fails(isFault: boolean, code: string): void {
	if (isFault) throw systemError(code);
}

describe.each(disks)('a session on a %s', (_, fault, reason) => {
	it('is opened for reading with a warning, changes nothing, and refuses writes', async () => {
		const {dir, path} = await storedSession(await tempHome(), [items]);
		const torn = `${(await readFile(path, 'utf8')).slice(0, -4)},\n{"id":"c`;
		await writeFile(path, torn);
		const opened = await openOrReadSession(dir, clock, faultyFiles(fault));
		if (!opened.ok) throw new Error(opened.sentence);
		expect(opened.warning).toContain('You can read this session, but not continue it.');
		expect(opened.session.items).toEqual(items);
		expect(await failed(opened.session.log.write([user('c', '3')]))).toMatchObject({reason});
		await opened.session.close();
		expect(await readFile(path, 'utf8')).toBe(torn);
		expect(await namesIn(dir)).toEqual(['history.json']);
	});

	it('shows what a killed process had streamed, and leaves it in the log', async () => {
		const sent = createItems().sent();
		const {dir} = await storedSession(await tempHome(), [[...items, sent]]);
		const stream = createStreamLog(dir);
		const answer = createItems('s').assistant('');
		stream.write([{item: answer, text: 'Once upon'}]);
		await stream.close();
		const opened = await openOrReadSession(dir, clock, faultyFiles(fault));
		expect(opened).toMatchObject({
			ok: true,
			session: {items: [...items, sent, {id: answer.id, text: 'Once upon', stop: 'aborted'}]},
		});
		expect(await namesIn(dir)).toEqual(['history.json', 'stream.log']);
	});
});

describe('a start of a stored session', () => {
	it('opens it for writing when that is possible, and refuses what cannot be read either', async () => {
		const {dir, path} = await storedSession(await tempHome(), [items]);
		const opened = await openOrReadSession(dir, clock);
		expect(opened).toMatchObject({ok: true, session: {items}});
		expect(opened).not.toHaveProperty('warning');
		expect(await openOrReadSession(dir, clock)).toMatchObject({ok: false, reason: 'held'});
		if (opened.ok) await opened.session.close();
		await writeFile(path, 'rubbish');
		expect(await openOrReadSession(dir, clock)).toMatchObject({ok: false, reason: 'not_history'});
	});
});
