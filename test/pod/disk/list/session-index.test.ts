import {execFile} from 'node:child_process';
import {hash} from 'node:crypto';
import {
	chmod,
	copyFile,
	mkdir,
	open,
	readdir,
	readFile,
	rename,
	rm,
	stat,
	symlink,
	truncate,
	utimes,
	writeFile,
} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {realFiles, type Files} from '../../../../src/pod/disk/files.ts';
import {changeLabel} from '../../../../src/pod/disk/list/label.ts';
import {listAllSessions, listSessions} from '../../../../src/pod/disk/list/list.ts';
import {emptyTrash, trashRoot, trashSession} from '../../../../src/pod/disk/list/trash.ts';
import {encodeQueue} from '../../../../src/pod/disk/log/queue-file.ts';
import {historyFile, lockFile, projectDir, sessionDir} from '../../../../src/pod/disk/paths.ts';
import {faultyFiles, historyOf, systemError, tempHome, user, type Home} from '../fixture.ts';

const ids = ['01JD8XK3Q2AAAAAAAAAAAAAAAA', '01JD8XK3Q2BBBBBBBBBBBBBBBB', '01JD9000000000000000000000'];
const [first = '', second = '', third = ''] = ids;
const names = [...ids, 'index.json'].toSorted();

/** The time of a list so long after all writes that the index may store every session. */
const later = () => Date.now() + 60_000;

async function withSessions(): Promise<Home & {readonly project: string; readonly index: string}> {
	const home = await tempHome();
	for (const id of ids) {
		const dir = sessionDir(home.root, home.cwd, id);
		await mkdir(dir, {recursive: true});
		await writeFile(historyFile(dir), historyOf([user('a', `words of ${id}`)], {...header, session: id}));
	}
	const project = projectDir(home.root, home.cwd);
	return {...home, project, index: join(project, 'index.json')};
}

const header = {cwd: '/p', created: '2026-01-01T00:00:00.000Z'};

/** Returns the real file operations, and the paths below `project` that they open. */
function watched(project: string): {readonly files: Files; readonly opened: string[]} {
	const opened: string[] = [];
	const fault = (operation: string, path: string) => {
		if (operation === 'open') opened.push(path.slice(project.length + 1));
	};
	return {files: faultyFiles(fault), opened};
}

/** Lists without the index, and does not write it. */
async function listWithout(project: string): Promise<unknown> {
	const fault = (_: string, path: string) => {
		if (basename(path).startsWith('index.json')) throw systemError('EACCES');
	};
	return listSessions(project, faultyFiles(fault));
}

describe('the index of a project', () => {
	it('saves reading the sessions that did not change', async () => {
		const {project} = await withSessions();
		const listed = await listSessions(project, realFiles, later());
		const {files, opened} = watched(project);
		expect(await listSessions(project, files, later())).toEqual(listed);
		expect(opened).toEqual(['index.json']);
		expect(listed).toEqual(await listWithout(project));
	});

	it('saves reading the sessions of all projects', async () => {
		const {root, project} = await withSessions();
		const other = join(root, 'other-0123456789ab', first);
		await mkdir(other, {recursive: true});
		await writeFile(historyFile(other), historyOf([user('a', 'elsewhere')], {...header, session: first}));
		const listed = await listAllSessions(root, realFiles, later());
		const {files, opened} = watched(root);
		expect(await listAllSessions(root, files, later())).toEqual(listed);
		expect(opened.toSorted()).toEqual(
			['other-0123456789ab/index.json', `${basename(project)}/index.json`].toSorted(),
		);
	});

	it('is written again for a session that changed, is new or is gone', async () => {
		const {project} = await withSessions();
		await listSessions(project, realFiles, later());
		await changeLabel(join(project, first), {title: 'a title'});
		await rm(join(project, second), {recursive: true});
		const {files, opened} = watched(project);
		expect(await listSessions(project, files, later())).toEqual(await listWithout(project));
		expect(new Set(opened.map(path => path.split('/')[0]))).toEqual(
			new Set(['index.json', first, 'index.json.new']),
		);
		expect(await readFile(join(project, 'index.json'), 'utf8')).not.toContain(second);
		expect((await listSessions(project, realFiles, later())).map(({title}) => title)).toContain('a title');
	});

	it('does not store what was changed just now, because the next change may have the same time', async () => {
		const {project, index} = await withSessions();
		for (let round = 0; round < 50; round++) {
			await writeFile(join(project, first, 'label.json'), `{"title":"${100 + round}"}`);
			expect((await listSessions(project)).find(({id}) => id === first)?.title).toBe(`${100 + round}`);
		}
		expect(await readFile(index, 'utf8').catch(() => '')).not.toContain(first);
	});

	it('sees a change that keeps the size of a file and the time of its last write', async () => {
		const {project} = await withSessions();
		const label = join(project, first, 'label.json');
		const write = async (text: string) => {
			const file = await open(label, 'w');
			await file.write(text);
			await file.close();
			await utimes(label, 1000, 1000);
			return (await stat(label)).ctimeMs;
		};
		const before = await write('{"title":"one"}');
		await listSessions(project, realFiles, later());
		while ((await write('{"title":"two"}')) === before);
		const listed = await listSessions(project, realFiles, later());
		expect(listed.find(({id}) => id === first)?.title).toBe('two');
	});

	it('does not store sessions that are open, unfinished or damaged', async () => {
		const {project, index} = await withSessions();
		await writeFile(lockFile(join(project, first)), '{}');
		const waiting = encodeQueue([{id: 'm', segments: [{type: 'text', text: 'later'}]}]);
		await writeFile(join(project, second, 'queue.json'), waiting);
		await writeFile(historyFile(join(project, third)), 'rubbish');
		const listed = await listSessions(project, realFiles, later());
		const states = new Map(
			listed.map(({id, unfinished, problem}) => [id, problem === undefined ? unfinished : 'damaged']),
		);
		expect(ids.map(id => states.get(id))).toEqual([undefined, true, 'damaged']);
		await expect(stat(index)).rejects.toThrow('ENOENT');
		await rm(lockFile(join(project, first)));
		expect(await listSessions(project, realFiles, later())).toEqual(listed);
		expect([...(await readFile(index, 'utf8')).matchAll(/"id":"(\w+)"/g)].map(([, id]) => id)).toEqual([first]);
	});

	it('can be read and written by this user only, and leaves no other file', async () => {
		const {project, index} = await withSessions();
		await writeFile(`${index}.new`, 'of a killed process');
		await chmod(`${index}.new`, 0o644);
		const lists = await Promise.all(Array.from({length: 8}, async () => listSessions(project, realFiles, later())));
		expect(new Set(lists.map(list => JSON.stringify(list))).size).toBe(1);
		await listSessions(project, realFiles, later());
		expect((await readdir(project)).toSorted()).toEqual(names);
		expect((await stat(index)).mode & 0o777).toBe(0o600);
		const {files, opened} = watched(project);
		expect(await listSessions(project, files, later())).toEqual(lists[0]);
		expect(opened).toEqual(['index.json']);
	});

	it.each(['open', 'write', 'rename'] as const)(
		'is not needed: a list works if it cannot be written (%s)',
		async which => {
			const {project} = await withSessions();
			const fault = (operation: string, path: string) => {
				if (operation === which && path.endsWith('.new')) throw systemError('ENOSPC');
			};
			expect(await listSessions(project, faultyFiles(fault), later())).toEqual(await listWithout(project));
			expect((await readdir(project)).toSorted()).toEqual(ids);
		},
	);

	it('of a session that was deleted for good is removed with it', async () => {
		const {root, project, env, home} = await withSessions();
		const own = {...env, INKPOD_HOME: dirname(root), HOME: home};
		await listSessions(project, realFiles, later());
		expect(await trashSession(join(project, first), own)).toMatchObject({ok: true});
		await listAllSessions(trashRoot(own), realFiles, later());
		const trash = join(trashRoot(own), basename(project));
		expect(await readFile(join(trash, 'index.json'), 'utf8')).toContain(`words of ${first}`);
		expect((await emptyTrash(own)).map(({id}) => id)).toEqual([first]);
		expect(await readdir(trash)).toEqual([]);
		expect((await readdir(project)).toSorted()).toEqual([second, third]);
	});
});

type Damage = (index: string, text: string) => Promise<unknown>;

/** Returns the text of an index with a checksum that fits. */
function summed(index: string, body: string): string {
	const head = {format: 'inkpod.index/1', project: basename(dirname(index)), sha256: hash('sha256', body, 'hex')};
	return `${JSON.stringify(head).slice(0, -1)},"sessions":[\n${body}`;
}

function changedEntry(change: (text: string) => string): Damage {
	return async (index, text) => writeFile(index, summed(index, change(text.slice(text.indexOf('\n') + 1))));
}

const damages: ReadonlyArray<readonly [name: string, damage: Damage]> = [
	['is gone', async index => rm(index)],
	['is empty', async index => writeFile(index, '')],
	['is cut', async (index, text) => truncate(index, Math.floor(text.length / 2))],
	['lacks its last byte', async (index, text) => truncate(index, text.length - 1)],
	['has a changed word', async (index, text) => writeFile(index, text.replaceAll('words of', 'WORDS OF'))],
	['has another format', async (index, text) => writeFile(index, text.replace('index/1', 'index/0'))],
	['is of another project', async (index, text) => writeFile(index, text.replace(basename(dirname(index)), 'other'))],
	['has a longer head', async (index, text) => writeFile(index, text.replace('"sha256"', '"x":1,"sha256"'))],
	['has 10 GB of NULs', async index => truncate(index, 10 * 1024 ** 3)],
	[
		'is one of 10 GB from the start',
		async index => writeFile(index, '').then(async () => truncate(index, 10 * 1024 ** 3)),
	],
	['is deep', async index => writeFile(index, summed(index, `${'['.repeat(20_000_000)}\n]}\n`))],
	['is deep and whole', async index => writeFile(index, summed(index, `${'['.repeat(1e6)}${']'.repeat(1e6)}\n]}\n`))],
	['has deep lines', async index => writeFile(index, summed(index, `${'['.repeat(60_000)},\n`.repeat(300)))],
	['has sessions of a wrong type', async index => writeFile(index, summed(index, '1,null,"x",[]\n]}\n'))],
	['has paths of a wrong type', changedEntry(text => text.replace('"paths":[""', '"paths":[7'))],
	['has stamps of a wrong type', changedEntry(text => text.replace('"stats":[', '"stats":["x",'))],
	['has words of a wrong type', changedEntry(text => text.replace('"words":"words of', '"words":{},"x":"'))],
	['has a prototype', changedEntry(text => text.replace('"words":', '"__proto__":{"words":"x"},"words":'))],
	['is a folder', async index => rm(index).then(async () => mkdir(index))],
	['is a FIFO', async index => rm(index).then(async () => promisify(execFile)('mkfifo', [index]))],
	['is a device without an end', async index => rm(index).then(async () => symlink('/dev/zero', index))],
	['is a loop of links', async index => rm(index).then(async () => symlink(index, index))],
	[
		'is a link to the index',
		async index => rename(index, `${index}.2`).then(async () => symlink(`${index}.2`, index)),
	],
];

describe('an index', () => {
	it.each(damages)('that %s does not change the list', async (_, damage) => {
		const {project, index} = await withSessions();
		const listed = await listSessions(project, realFiles, later());
		await damage(index, await readFile(index, 'utf8'));
		expect(await listSessions(project, realFiles, later())).toEqual(listed);
		expect(await listSessions(project, realFiles, later())).toEqual(listed);
	});

	it('is not used for other sessions, and paths in it are only looked at', async () => {
		const {project, index} = await withSessions();
		const listed = await listSessions(project, realFiles, later());
		const text = await readFile(index, 'utf8');
		const body = text.slice(text.indexOf('\n') + 1);
		await writeFile(index, summed(index, body.replaceAll('/history.json', '/../../../../../../etc/passwd')));
		expect(await listSessions(project, realFiles, later())).toEqual(listed);
		await writeFile(index, summed(index, body.replaceAll(first, '../../x')));
		expect(await listSessions(project, realFiles, later())).toEqual(listed);
	});

	it('that was copied with its sessions is read again', async () => {
		const {project, index, root} = await withSessions();
		await listSessions(project, realFiles, later());
		const copy = join(root, 'copy-0123456789ab');
		await mkdir(join(copy, first), {recursive: true});
		await copyFile(historyFile(join(project, second)), historyFile(join(copy, first)));
		await copyFile(index, join(copy, 'index.json'));
		const {mtime, atime} = await stat(historyFile(join(project, first)));
		await utimes(historyFile(join(copy, first)), atime, mtime);
		expect((await listSessions(copy, realFiles, later())).map(({words}) => words)).toEqual([`words of ${second}`]);
	});
});
