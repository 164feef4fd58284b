import {appendFile, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import fc from 'fast-check';
import {expect, it} from 'vitest';
import {realFiles} from '../../../../src/pod/disk/files.ts';
import {changeLabel} from '../../../../src/pod/disk/list/label.ts';
import {listSessions} from '../../../../src/pod/disk/list/list.ts';
import {childDir, historyFile, lockFile, projectDir, sideDir, sideQuestionDir} from '../../../../src/pod/disk/paths.ts';
import {encodeQueue} from '../../../../src/pod/disk/log/queue-file.ts';
import {anyBatch, faultyFiles, historyOf, long, systemError, tempHome, user} from '../fixture.ts';
import type {Item} from '../../../../src/worker/index.ts';

const ids = Array.from({length: 4}, (_, number) => `01JD8XK3Q2AAAAAAAAAAAAAAA${number}`);
const child = '01JD9000000000000000000000';

type Change = (dir: string, items: readonly Item[], number: number) => Promise<unknown>;

/** What programs, users and accidents do to the files of a session between two lists. */
const changes: Readonly<Record<string, Change>> = {
	write: async (dir, items) => put(dir, items),
	'write a fork': async (dir, items) => put(dir, items, {fork: {session: child, item: 'a'}}),
	append: async (dir, items) => appendFile(historyFile(dir), JSON.stringify(items)),
	'append to a child': async (dir, items) => put(childDir(dir, child), items),
	'change a compaction': async (dir, items, number) => put(sideDir(dir, `c${number % 3}`), items),
	'ask beside it': async (dir, items, number) => put(sideQuestionDir(dir, `q${number % 3}`), items),
	'change a byte': async (dir, _, number) => changeByte(historyFile(dir), number),
	'change a byte and hide it': async (dir, _, number) => hidden(historyFile(dir), path => changeByte(path, number)),
	label: async (dir, _, number) =>
		changeLabel(dir, {title: `t${number}`, facts: {turns: 1 + (number % 9), model: 'm', bytes: number + 1}}),
	pin: async (dir, _, number) => changeLabel(dir, {pinned: number % 2 === 0 ? true : undefined}),
	'label in place': async (dir, _, number) =>
		writeFile(join(dir, 'label.json'), `{"title":"${100 + (number % 900)}"}`),
	'queue a message': async (dir, _, number) =>
		writeFile(join(dir, 'queue.json'), encodeQueue([{id: `m${number}`, segments: [{type: 'text', text: 'wait'}]}])),
	'stream a text': async dir =>
		appendFile(
			join(dir, 'stream.log'),
			`${JSON.stringify({id: 's', offset: 0, text: 'x', item: user('s', '')})}\n`,
		),
	lock: async dir => writeFile(lockFile(dir), '{}'),
	unlock: async dir => rm(lockFile(dir), {force: true}),
	'remove a file': async (dir, _, number) => {
		const names = (await readdir(dir)).toSorted();
		await rm(join(dir, names[number % names.length] ?? 'none'), {recursive: true, force: true});
	},
	'replace the history by a folder': async dir => {
		await rm(historyFile(dir), {force: true, recursive: true});
		await mkdir(historyFile(dir));
	},
	'swap two': async dir => {
		const other = join(dir, '..', ids[0] ?? '');
		if (other === dir || !(await isThere(other))) return;
		await rename(dir, `${dir}.2`);
		await rename(other, dir);
		await rename(`${dir}.2`, other);
	},
	remove: async dir => rm(dir, {recursive: true, force: true}),
	'garble the index': async (dir, _, number) => changeByte(join(dir, '..', 'index.json'), number),
	'cut the index': async (dir, _, number) => cut(join(dir, '..', 'index.json'), number),
	'remove the index': async dir => rm(join(dir, '..', 'index.json'), {force: true}),
};

const anyStep = fc.record({
	change: fc.constantFrom(...Object.keys(changes)),
	session: fc.nat(ids.length - 1),
	items: anyBatch,
	number: fc.nat(10_000),
});

it('is the same list with the index as without it, whatever changed since the last list', async () => {
	const property = fc.asyncProperty(
		fc.array(fc.array(anyStep, {minLength: 1, maxLength: 4}), {minLength: 2, maxLength: 8}),
		async rounds => {
			const home = await tempHome();
			const project = projectDir(home.root, home.cwd);
			for (const id of ids) await put(join(project, id), [user('a', `words of ${id}`)]);
			for (const steps of rounds) {
				for (const {change, session, items, number} of steps) {
					const dir = join(project, ids[session] ?? '');
					await mkdir(dir, {recursive: true});
					await changes[change]?.(dir, items, number);
				}
				await nextTime(home.home);
				const listed = await listSessions(project, realFiles, Date.now() + 60_000);
				expect(JSON.stringify(listed)).toBe(JSON.stringify(await listSessions(project, withoutIndex)));
				await nextTime(home.home);
			}
			await rm(home.home, {recursive: true});
		},
	);
	await fc.assert(property, {numRuns: long ? 2000 : 25, seed: 20_261_129});
});

async function put(dir: string, items: readonly Item[], more: object = {}): Promise<void> {
	await mkdir(dir, {recursive: true});
	await rm(historyFile(dir), {recursive: true, force: true});
	const header = {session: basename(dir), cwd: '/p', created: '2026-01-01T00:00:00.000Z', ...more};
	await writeFile(historyFile(dir), historyOf(items, header));
}

async function changeByte(path: string, number: number): Promise<void> {
	const bytes = await readFile(path).catch(() => Buffer.alloc(0));
	if (bytes.length === 0) return;
	const at = number % bytes.length;
	const file = await open(path, 'r+');
	await file.write(Buffer.from([(bytes[at] ?? 0) ^ (1 << (number % 7))]), 0, 1, at);
	await file.close();
}

/** Makes a change and restores the time of the last write. */
async function hidden(path: string, change: (path: string) => Promise<void>): Promise<void> {
	const before = await stat(path).catch(() => undefined);
	if (before?.isFile() !== true) return;
	await change(path);
	await utimes(path, before.atime, before.mtime);
}

async function cut(path: string, number: number): Promise<void> {
	const text = await readFile(path, 'utf8').catch(() => '');
	if (text !== '') await writeFile(path, text.slice(0, number % text.length));
}

async function isThere(path: string): Promise<boolean> {
	return stat(path).then(
		() => true,
		() => false,
	);
}

const withoutIndex = faultyFiles((_, path) => {
	if (basename(path).startsWith('index.json')) throw systemError('EACCES');
});

/** Resolves when the file system gives later changes another time than all changes so far. */
async function nextTime(home: string): Promise<void> {
	const probe = join(home, 'probe');
	const timeNow = async () => {
		await writeFile(probe, 'x');
		return (await stat(probe)).ctimeMs;
	};
	const before = await timeNow();
	while ((await timeNow()) === before);
}
