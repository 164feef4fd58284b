import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import {draftsRoot, openDrafts, type Drafts, type Unsent} from '../../../../src/pod/disk/drafts/drafts.ts';
import {thisProcess} from '../../../../src/pod/disk/log/lock-owner.ts';
import {historyFile, sessionDir} from '../../../../src/pod/disk/paths.ts';
import {openFiles} from '../../../helpers/processes.ts';
import {tempHome, type Home} from '../fixture.ts';

const [first, second, third] = [
	'01JD8XK3Q2ABCDEFGHJKMNPQR1',
	'01JD8XK3Q2ABCDEFGHJKMNPQR2',
	'01JD8XK3Q2ABCDEFGHJKMNPQR3',
];
const says = (text: string): Unsent => ({sent: [], draft: [{type: 'text', text}]});
const nothing: Unsent = {sent: [], draft: []};

async function open(home: Home, id: string, isNew = true): Promise<Drafts> {
	return openDrafts(draftsRoot(home.env), {dir: sessionDir(home.root, home.cwd, id), isNew});
}

function folder(home: Home, id: string): string {
	return join(draftsRoot(home.env), basename(dirname(sessionDir(home.root, home.cwd, id))), id);
}

async function names(home: Home, id: string): Promise<string[]> {
	const found: string[] = await readdir(folder(home, id)).catch(() => []);
	return found.toSorted();
}

/** Creates a folder as a killed process leaves it. */
async function left(home: Home, id: string, kept: Unsent | string): Promise<string> {
	const dir = folder(home, id);
	if (typeof kept === 'string') {
		await mkdir(dir, {recursive: true});
		await writeFile(join(dir, 'draft.json'), kept);
	} else expect(await (await open(home, id, false)).save(kept)).toBeUndefined();
	await writeFile(join(dir, 'lock'), JSON.stringify({...(await thisProcess()), processStart: 'long ago'}));
	return dir;
}

async function commit(home: Home, id: string): Promise<void> {
	const dir = sessionDir(home.root, home.cwd, id);
	await mkdir(dir, {recursive: true});
	await writeFile(historyFile(dir), '');
}

describe('the draft of an attached terminal', () => {
	const beside = async (home: Home) =>
		openDrafts(draftsRoot(home.env), {
			dir: sessionDir(home.root, home.cwd, first),
			isNew: false,
			isBeside: true,
		});

	it('goes to exactly one terminal that opens its session next, attached or not', async () => {
		const home = await tempHome();
		await commit(home, first);
		const [one, other] = [await beside(home), await beside(home)];
		expect([one.found, other.found]).toEqual([undefined, undefined]);
		await one.save(says('one'));
		await other.save(says('other'));
		expect((await beside(home)).found).toBeUndefined();
		one.leave(says('one'));
		other.leave(says('other'));
		await vi.waitFor(async () => expect(await locks(home)).toEqual([]));
		const found = await Promise.all([beside(home), open(home, first, false), beside(home)]);
		const texts = found.flatMap(drafts => drafts.found?.kept.draft ?? []);
		expect(texts.map(segment => JSON.stringify(segment)).toSorted()).toEqual(
			['one', 'other'].map(text => JSON.stringify({type: 'text', text})),
		);
	});

	it('does not go to another session, unless its own has no history', async () => {
		const home = await tempHome();
		const drafts = await beside(home);
		await drafts.save(says('one'));
		drafts.leave(says('one'));
		await vi.waitFor(async () => expect(await locks(home)).toEqual([]));
		expect((await open(home, second, false)).found).toBeUndefined();
		await commit(home, first);
		expect((await open(home, second)).found).toBeUndefined();
		await rm(historyFile(sessionDir(home.root, home.cwd, first)));
		expect((await open(home, third)).found).toMatchObject({kept: says('one')});
	});

	it('is that of the session’s owner, when the owner was killed', async () => {
		const home = await tempHome();
		await commit(home, first);
		await left(home, first, says('owner'));
		expect((await beside(home)).found).toMatchObject({kept: says('owner')});
		expect((await open(home, first, false)).found).toBeUndefined();
	});

	it('does not become that of a live owner', async () => {
		const home = await tempHome();
		await commit(home, first);
		await left(home, first, says('owner'));
		expect((await open(home, first, false)).found).toMatchObject({kept: says('owner')});
		expect((await beside(home)).found).toBeUndefined();
	});

	/** Returns the locks of all drafts. */
	async function locks(home: Home): Promise<string[]> {
		const all: string[] = await readdir(draftsRoot(home.env), {recursive: true});
		return all.filter(name => name.endsWith('lock'));
	}
});

describe('a draft', () => {
	it('is found again by the same session, whatever its segments', async () => {
		const home = await tempHome();
		const long = {type: 'paste', id: '2', chars: 70_000, lines: 1, content: '日本'.repeat(35_000)} as const;
		const kept: Unsent = {
			sent: [{id: 'm', segments: [{type: 'text', text: 'go'}]}, {segments: [{type: 'text', text: 'early'}]}],
			draftId: 'd',
			draft: [
				{type: 'text', text: 'see '},
				{type: 'file_ref', path: 'a b', range: {first: 2, last: 3}},
				{type: 'paste', id: '1', chars: 3, lines: 2, content: 'a\nb'},
				long,
			],
		};
		const drafts = await open(home, first);
		expect(await drafts.save(kept)).toBeUndefined();
		expect((await stat(folder(home, first))).mode & 0o777).toBe(0o700);
		for (const name of await names(home, first))
			expect((await stat(join(folder(home, first), name))).mode & 0o777).toBe(0o600);
		await left(home, first, kept);
		expect((await open(home, first, false)).found).toMatchObject({kept});
	});

	it('is removed when it is sent or emptied, and its folder with it at the end', async () => {
		const home = await tempHome();
		const drafts = await open(home, first);
		await drafts.save(says('one'));
		expect(await names(home, first)).toEqual(['draft.json', 'lock']);
		await drafts.save(nothing);
		expect(await names(home, first)).toEqual(['lock']);
		drafts.leave(nothing);
		await expect(stat(folder(home, first))).rejects.toThrow('ENOENT');
	});

	it('stores a long paste once, and removes it when the paste is deleted', async () => {
		const home = await tempHome();
		const drafts = await open(home, first);
		const paste = {type: 'paste', id: '1', chars: 1_000_000, lines: 1, content: 'x'.repeat(1_000_000)} as const;
		const file = async () => (await names(home, first)).find(name => name.startsWith('paste-'));
		await drafts.save({sent: [], draft: [paste]});
		const before = await file();
		await drafts.save({sent: [], draft: [paste, {type: 'text', text: 'more'}]});
		expect(await file()).toBe(before);
		expect((await readFile(join(folder(home, first), 'draft.json'), 'utf8')).length).toBeLessThan(400);
		await drafts.save(says('without'));
		expect(await names(home, first)).toEqual(['draft.json', 'lock']);
	});

	it('is saved in its last version when the session closes during a save', async () => {
		const home = await tempHome();
		const drafts = await open(home, first);
		await drafts.save(says('one'));
		const saving = drafts.save(says('two'));
		drafts.leave(says('three'));
		await saving;
		expect((await open(home, first, false)).found?.kept).toEqual(says('three'));
	});

	it.each([
		['with an empty draft', nothing, []],
		['with a later draft', says('later'), ['draft.json']],
	] as const)(
		'leaves no lock and no file when its session closes %s during the first save',
		async (_name, kept, files) => {
			const home = await tempHome();
			const drafts = await open(home, first);
			const saving = drafts.save(says('one'));
			drafts.leave(kept);
			await saving;
			await expect.poll(async () => names(home, first)).toEqual(files);
			if (files.length === 0)
				await expect
					.poll(async () =>
						stat(folder(home, first)).then(
							() => 'there',
							() => 'gone',
						),
					)
					.toBe('gone');
			if (process.platform === 'linux')
				await expect.poll(() => openFiles().filter(path => path.startsWith(home.home))).toEqual([]);
		},
	);

	it('reports in a sentence that it cannot be saved', async () => {
		const home = await tempHome();
		await mkdir(dirname(draftsRoot(home.env)), {recursive: true});
		await writeFile(draftsRoot(home.env), '');
		expect(await (await open(home, first)).save(says('one'))).toMatch(/^Your unsent message could not be saved/);
	});
});

describe('a new session', () => {
	it('takes over the latest draft of a dead session that has no history, once', async () => {
		const home = await tempHome();
		const older = await left(home, first, says('older'));
		await left(home, second, says('latest'));
		await utimes(older, new Date(), new Date(Date.now() - 60_000));
		const next = await open(home, third);
		expect(next.found?.kept).toEqual(says('latest'));
		expect(await names(home, second)).toEqual([]);
		expect(await names(home, third)).toEqual(['draft.json', 'lock']);
		expect((await open(home, '01JD8XK3Q2ABCDEFGHJKMNPQR4')).found?.kept).toEqual(says('older'));
		expect((await open(home, '01JD8XK3Q2ABCDEFGHJKMNPQR5')).found).toBeUndefined();
	});

	it('takes no draft from a live session, or from one with a history', async () => {
		const home = await tempHome();
		await (await open(home, first)).save(says('living'));
		await left(home, second, says('of a session'));
		await commit(home, second);
		expect((await open(home, third)).found).toBeUndefined();
		expect((await open(home, second, false)).found?.kept).toEqual(says('of a session'));
	});

	it('gets a draft that no other gets, when several start at once', async () => {
		const home = await tempHome();
		await left(home, first, says('the one'));
		const ids = Array.from({length: 8}, (_, index) => `01JD8XK3Q2ABCDEFGHJKMNPQ${10 + index}`);
		const opened = await Promise.all(ids.map(async id => open(home, id)));
		expect(opened.filter(({found}) => found !== undefined)).toHaveLength(1);
	});

	it('takes over a draft that was left on purpose, when its process has ended', async () => {
		const home = await tempHome();
		const source = JSON.stringify(join(import.meta.dirname, '../../../../src/pod/disk/drafts/drafts.ts'));
		const root = JSON.stringify(draftsRoot(home.env));
		const options = JSON.stringify({dir: sessionDir(home.root, home.cwd, first), isNew: true});
		const script = `import {openDrafts} from ${source};
			const drafts = await openDrafts(${root}, ${options});
			drafts.leave({sent: [], draft: [{type: 'text', text: 'left'}]});`;
		execFileSync(process.execPath, [
			'--experimental-strip-types',
			'--no-warnings',
			'--input-type=module',
			'-e',
			script,
		]);
		expect((await open(home, second)).found?.kept).toEqual(says('left'));
	});

	it('removes drafts older than a month, with or without a history, and empty ones', async () => {
		const home = await tempHome();
		const old = await left(home, first, says('old'));
		const kept = await left(home, second, says('old, of a session'));
		await commit(home, second);
		for (const dir of [old, kept]) await utimes(dir, new Date(), new Date(Date.now() - 31 * 86_400_000));
		await mkdir(folder(home, third), {recursive: true});
		expect((await open(home, '01JD8XK3Q2ABCDEFGHJKMNPQR4')).found).toBeUndefined();
		expect(await readdir(dirname(folder(home, first)))).toEqual([]);
	});
});

describe('an unreadable draft', () => {
	const stored = (draft: unknown) =>
		JSON.stringify({format: 'inkpod.draft/1', at: '2026-01-01T00:00:00.000Z', sent: [], draft});

	it.each([
		['nothing', ''],
		['an incomplete one', stored([{type: 'text', text: 'abc'}]).slice(0, -5)],
		['another format', stored([]).replace('draft/1', 'draft/2')],
		['a segment of another kind', stored([{type: 'image'}])],
		[
			'a paste that leads elsewhere',
			stored([{type: 'paste', id: '1', chars: 1, lines: 1, file: '../../../../etc/passwd'}]),
		],
		['an invalid time', stored([]).replace('2026-01-01T00:00:00.000Z', '\\u001b[2J')],
		['deep nesting', '['.repeat(100_000)],
	])('is reported and put aside: %s', async (_, text) => {
		const home = await tempHome();
		await left(home, first, text);
		const next = await open(home, second);
		expect(next).toMatchObject({warnings: [expect.stringContaining('could not be read')]});
		expect(next.found).toBeUndefined();
		expect((await names(home, first)).filter(name => name.startsWith('damaged-'))).toHaveLength(1);
		expect((await open(home, third)).warnings).toEqual([]);
	});

	it('does not block when it is a pipe, a link or a folder', async () => {
		const home = await tempHome();
		const pipe = await left(home, first, '');
		execFileSync('rm', [join(pipe, 'draft.json')]);
		execFileSync('mkfifo', [join(pipe, 'draft.json')]);
		await mkdir(join(folder(home, second), 'draft.json'), {recursive: true});
		await mkdir(folder(home, third), {recursive: true});
		await symlink('/etc/passwd', join(folder(home, third), 'draft.json'));
		const next = await open(home, '01JD8XK3Q2ABCDEFGHJKMNPQR4');
		expect(next.found).toBeUndefined();
		expect(next.warnings).toHaveLength(3);
	});

	it('is restored without its missing long paste', async () => {
		const home = await tempHome();
		await left(
			home,
			first,
			JSON.stringify({
				format: 'inkpod.draft/1',
				at: '2026-01-01T00:00:00.000Z',
				sent: [],
				draft: [
					{type: 'text', text: 'see '},
					{type: 'paste', id: '1', chars: 1, lines: 1, file: 'paste-01JD8XK3Q2ABCDEFGHJKMNPQR1.txt'},
				],
			}),
		);
		expect(await open(home, second)).toMatchObject({
			found: {kept: says('see ')},
			warnings: ['The restored message is missing a paste.'],
		});
	});
});

describe('a saved draft', () => {
	it('is complete when the process is killed at any moment of a save', async () => {
		const home = await tempHome();
		const source = JSON.stringify(join(import.meta.dirname, '../../../../src/pod/disk/drafts/drafts.ts'));
		const times = process.env['INKPOD_TEST'] === 'long' ? 60 : 6;
		for (let round = 0; round < times; round++) {
			const id = `01JD8XK3Q2ABCDEFGHJKMNP${100 + round}`;
			const root = JSON.stringify(draftsRoot(home.env));
			const options = JSON.stringify({dir: sessionDir(home.root, home.cwd, id), isNew: false});
			const script = `import {openDrafts} from ${source};
				const drafts = await openDrafts(${root}, ${options});
				const paste = {type: 'paste', id: '1', chars: 40000, lines: 1};
				for (let n = 0; ; n++) {
					await drafts.save({sent: [], draft: [{...paste, content: String(n).padStart(40000)}]});
					console.log(n);
				}`;
			const child = spawn(
				process.execPath,
				['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', script],
				{stdio: ['ignore', 'pipe', 'inherit']},
			);
			onTestFinished(() => void child.kill('SIGKILL'));
			for (let saves = 0; saves <= round; saves++) await once(child.stdout, 'data');
			child.kill('SIGKILL');
			await once(child, 'exit');
			const next = await open(home, id, false);
			expect(next.warnings).toEqual([]);
			expect(next.found?.kept.draft).toMatchObject([
				{type: 'paste', content: expect.stringMatching(/^ +\d+$/) as unknown},
			]);
		}
	});
});
