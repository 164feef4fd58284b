import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {readBackup, saveBackup} from '../../../../src/pod/disk/bodies/pasted.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {historyFile, idOf} from '../../../../src/pod/disk/paths.ts';
import {readSession, type StoredSession} from '../../../../src/pod/disk/log/read.ts';
import {repairSession, type Repaired} from '../../../../src/pod/disk/check/repair.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {systemClock, type Item} from '../../../../src/worker/index.ts';
import {sha256} from '../../tools/files/file-tools.ts';
import {createItems} from '../../../helpers/items.ts';
import {call, opened, request, result, storedSession, tempHome, user} from '../fixture.ts';

const items = [
	user('a', 'one'),
	call('b', 'c1'),
	request('c'),
	result('d', 'c1'),
	request('e'),
	user('f', 'two'),
	request('g'),
];
const repair = async (dir: string): Promise<Repaired> =>
	repairSession(dir, {backupsOf: () => [], copyOutputs: async () => 0}, systemClock());

async function session(dir: string): Promise<StoredSession> {
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	return read.session;
}

type Lines = readonly string[];
const swapped = (lines: Lines, at: number): Lines => lines.with(at, lines[at + 1]!).with(at + 1, lines[at]!);

/** The name of a damage, the damage, the ids in the copy, and the lines that the list of changes names. */
const damages: ReadonlyArray<readonly [string, (lines: Lines) => Lines, string, readonly number[]]> = [
	['the header', lines => lines.with(0, lines[0]!.replace('cwd', 'cwx')), 'abcdefg', [1]],
	['no header', lines => lines.slice(1), 'abcdefg', [1]],
	['a changed message', lines => lines.with(6, lines[6]!.replaceAll('two', 'tw0')), 'abcde*g', [7]],
	['a changed sum', lines => lines.with(6, lines[6]!.replace(/"sum":"../, '"sum":"ff')), 'abcde*fg', [7]],
	['a changed call', lines => lines.with(2, lines[2]!.replace('read_file', 'xead_file')), 'a*cefg', [3]],
	['a changed result', lines => lines.with(4, lines[4]!.replace('read', 'dear')), 'abc*efg+', [5]],
	['an unreadable line', lines => lines.with(6, 'rubbish'), 'abcde*g', [7]],
	['a deleted line', lines => lines.toSpliced(6, 1), 'abcde*g', [7]],
	['a repeated line', lines => lines.toSpliced(6, 0, lines[6]!), 'abcdefg', [8]],
	['swapped lines', lines => swapped(lines, 2), 'abcdefg', [3, 4]],
	['a missing comma', lines => lines.with(3, lines[3]!.slice(0, -1)), 'abcdefg', [4]],
	['a missing end', lines => lines.slice(0, -2), 'abcdefg', []],
];

describe('the repair of a session', () => {
	it.each(damages)('creates an intact copy of a session with %s', async (name, change, ids, named) => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [items]);
		const damaged = change((await readFile(path, 'utf8')).split('\n')).join('\n');
		await writeFile(path, damaged);

		const repaired = await repair(dir);
		if (!repaired.ok) throw new Error(repaired.sentence);
		for (const line of named) expect(repaired.changes.join('\n')).toContain(`Line ${line}`);
		expect(repaired.changes.length).toBeGreaterThan(0);
		expect(await readFile(path, 'utf8')).toBe(damaged);

		const copy = await session(repaired.dir);
		expect(verifySession(copy).findings.filter(({level}) => level === 'failure')).toEqual([]);
		JSON.parse(await readFile(historyFile(repaired.dir), 'utf8'));
		expect(copy.items.map(({id}) => (id.length === 1 ? id : id.startsWith('damaged') ? '*' : '+')).join('')).toBe(
			ids,
		);
		expect(copy.decoded.header.fork?.session).toBe(idOf(dir));
		expect(copy.cwd).toBe(['the header', 'no header'].includes(name) ? '' : home.cwd);
		await opened(await openSession(repaired.dir, systemClock())).close();
	});

	it('has nothing to do for an intact session, even with an open call', async () => {
		const {dir} = await storedSession(await tempHome(), [[user('a', '1'), call('b', 'c1')]]);
		expect(await repair(dir)).toMatchObject({ok: false, intact: true});
	});

	it('leaves out the end of an answer whose request is lost, and half a character', async () => {
		const home = await tempHome();
		const make = createItems();
		const [first, second] = [make.sent(), make.sent()];
		const ends = [make.answered(first), make.answered(second)] as const;
		const {dir, path} = await storedSession(home, [[user('a', '1\ud800'), first, ends[0], second, ends[1]]]);
		await writeFile(path, (await readFile(path, 'utf8')).replace('"type":"request"', '"type":"requesx"'));
		const repaired = await repair(dir);
		if (!repaired.ok) throw new Error(repaired.sentence);
		const copy = await session(repaired.dir);
		expect(verifySession(copy).findings).toEqual([]);
		expect(copy.items.map(({type}) => type)).toEqual(['message', 'message', 'request', 'request_end']);
		expect(copy.items[0]).toMatchObject({text: '1\ufffd'});
		expect(repaired.changes).toHaveLength(3);
	});

	it('copies the backups of changed files', async () => {
		const {dir, path} = await storedSession(await tempHome(), [items]);
		const before = sha256('old');
		await saveBackup(dir, before, Buffer.from('old'));
		await writeFile(path, (await readFile(path, 'utf8')).replace('"one"', '"0ne"'));
		const repaired = await repairSession(
			dir,
			{backupsOf: () => [before], copyOutputs: async () => 0},
			systemClock(),
		);
		expect(repaired.ok && (await readBackup(repaired.dir, before))?.toString()).toBe('old');
	});

	it('keeps unknown keys, and explains why a file cannot be repaired', async () => {
		const home = await tempHome();
		const odd = {...user('a', '1'), later: [1]} as unknown as Item;
		const {dir, path} = await storedSession(home, [[odd, user('b', '2')]]);
		await writeFile(path, (await readFile(path, 'utf8')).replaceAll('"2"', '"3"'));
		const repaired = await repair(dir);
		expect(repaired.ok && (await session(repaired.dir)).items[0]).toEqual(odd);
		await writeFile(path, 'rubbish');
		expect(await repair(dir)).toMatchObject({ok: false, intact: false});
		expect(await repair(join(home.home, 'none'))).toMatchObject({ok: false, intact: false});
	});
});
