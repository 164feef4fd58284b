import {execFileSync, spawnSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
import {changeRefs} from '../../../../src/pod/permissions/confine/change-refs.ts';
import type {RefUpdate} from '../../../../src/pod/permissions/confine/layer.ts';
import {gitHome} from '../../../helpers/git-cell.ts';
import {folderWith} from '../../../helpers/layers.ts';
import {seededRandom} from '../../../helpers/random.ts';

const seed = Number(process.env['INKPOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const source = new URL('../../../../src/pod/permissions/confine/change-refs.ts', import.meta.url);
const none = '0'.repeat(40);

function repository() {
	const folder = folderWith({});
	const env = gitHome(join(folder, '..'));
	const sh = (command: string) => execFileSync('sh', ['-c', command], {cwd: folder, env, encoding: 'utf8'}).trim();
	sh('git init -q; git commit -q --allow-empty -m one; git commit -q --allow-empty -m two; git tag -am t tag');
	const [one, two] = sh('git rev-parse HEAD~1 HEAD').split('\n') as [string, string];
	const gitDir = join(folder, '.git');
	const change = async (...updates: readonly RefUpdate[]) =>
		(await changeRefs(gitDir, updates, [folder])).map(({ref}) => ref);
	return {folder, gitDir, sh, one, two, change, refs: () => sh('git for-each-ref; git fsck 2>&1')};
}

/** Changes references, and is killed before one of the calls of a function. */
const killing = `const [name, calls, text] = process.argv.slice(-3);
const fs = require('node:fs');
const real = fs[name];
let left = Number(calls);
(async () => {
	const {changeRefs} = await import(${JSON.stringify(fileURLToPath(source))});
	fs[name] = (...args) => left-- > 0 ? real(...args) : process.kill(process.pid, 'SIGKILL');
	require('node:module').syncBuiltinESMExports();
	await changeRefs(...JSON.parse(text));
})();`;

describe('changes of references', () => {
	it(`are what git makes of them (INKPOD_SEED=${seed})`, async () => {
		const next = seededRandom(seed);
		const pick = <Value>(values: readonly Value[]) => values[Math.floor(next() * values.length)] as Value;
		for (let round = 0; round < 4; round++) {
			const [ours, gits] = [repository(), repository()];
			const values = [none, ours.one, ours.two];
			for (let n = 0; n < 8; n++) {
				const update = {ref: `refs/heads/${pick(['a', 'a/b', 'a/b/c', 'd', 'e/f'])}`, new: pick(values)};
				const now = ours.sh(`git rev-parse -q --verify ${update.ref} || echo ${none}`);
				const old = next() < 0.8 ? now : pick(values);
				const line = `git update-ref --no-deref ${update.ref} ${update.new} ${old} 2>/dev/null || true`;
				// git deletes a reference that does not exist without a word.
				if (update.new !== now) await ours.change({...update, old});
				gits.sh(line);
				for (const {sh} of [ours, gits]) if (n === 3 || n === 5) sh('git pack-refs --all');
				expect([line, ours.refs()]).toEqual([line, gits.refs()]);
			}
		}
	});

	it('remove a tag from what is packed, and leave nothing behind', async () => {
		const {sh, change, one, two, gitDir} = repository();
		sh(`git branch x/y/z ${one}; git tag -am u u; git pack-refs --all; git branch -f x/y/z ${two}`);
		const [tag, other] = sh('git rev-parse tag u').split('\n') as [string, string];
		expect(
			await change({ref: 'refs/tags/tag', old: tag, new: none}, {ref: 'refs/heads/x/y/z', old: two, new: none}),
		).toEqual([]);
		expect(sh('git show-ref -d')).toBe(`${two} refs/heads/main\n${other} refs/tags/u\n${two} refs/tags/u^{}`);
		expect(existsSync(join(gitDir, 'refs/heads/x'))).toBe(false);
		expect(sh(`find .git -name '*inkpod*' -o -name '*.lock'`)).toBe('');
	});

	it('remove a packed reference that has a folder in its place', async () => {
		const {sh, change, one, two, gitDir} = repository();
		sh(
			`git branch a/b ${one}; git branch d ${one}; git pack-refs --all; mkdir -p .git/refs/heads/a/b .git/refs/heads/d`,
		);
		writeFileSync(join(gitDir, 'refs/heads/d/x.lock'), '');
		expect(await change({ref: 'refs/heads/a/b/c', old: none, new: two})).toEqual(['refs/heads/a/b/c']);
		for (const ref of ['refs/heads/a/b', 'refs/heads/d'])
			expect(await change({ref, old: one, new: none})).toEqual([]);
		expect(sh('git for-each-ref refs/heads')).toBe(`${two} commit\trefs/heads/main`);
		expect(existsSync(join(gitDir, 'refs/heads/a'))).toBe(false);
	});

	it('are not made under the lock of another program', async () => {
		const {change, one, two, gitDir, sh} = repository();
		writeFileSync(join(gitDir, 'refs/heads/main.lock'), '');
		expect(await change({ref: 'refs/heads/main', old: two, new: one})).toEqual(['refs/heads/main']);
		expect(sh('ls -A .git/refs/heads').split('\n')).toEqual(['main', 'main.lock']);
	});

	it.each(['linkSync', 'renameSync', 'unlinkSync', 'rmdirSync'])(
		'are finished after a kill before %s',
		async name => {
			const {folder, gitDir, change, one, two, sh} = repository();
			sh(`git branch a/b ${one}; git pack-refs --all; git branch -f a/b ${two}`);
			const updates = [
				{ref: 'refs/heads/main', old: two, new: one},
				{ref: 'refs/heads/a/b', old: two, new: none},
				{ref: 'refs/heads/new/one', old: none, new: one},
			];
			const all = JSON.stringify([gitDir, updates, [folder]]);
			// Each end is a little later, until nothing is left to do.
			for (let calls = 0; calls < 4; calls++) spawnSync(process.execPath, ['-e', killing, name, `${calls}`, all]);
			expect(await change(...updates)).toEqual([]);
			expect(sh('git for-each-ref --format="%(refname) %(objectname)" refs/heads')).toBe(
				`refs/heads/main ${one}\nrefs/heads/new/one ${one}`,
			);
			expect(sh("find .git -name '*inkpod*' -o -name '*.lock'")).toBe('');
		},
	);

	it('are not made where there is another value, a link or another kind of file', async () => {
		const {change, one, two, gitDir, refs, sh} = repository();
		symlinkSync('main', join(gitDir, 'refs/heads/link'));
		sh('git symbolic-ref refs/heads/symbolic refs/heads/main');
		mkdirSync(join(gitDir, 'refs/heads/folder'));
		writeFileSync(join(gitDir, 'refs/heads/folder/x.lock'), '');
		const before = refs();
		for (const name of ['link', 'symbolic', 'folder', 'main/below', 'other'])
			expect(await change({ref: `refs/heads/${name}`, old: one, new: two})).toEqual([`refs/heads/${name}`]);
		for (const name of ['link', 'symbolic', 'main'])
			expect(await change({ref: `refs/heads/${name}`, old: one, new: none})).toEqual([`refs/heads/${name}`]);
		expect(refs()).toBe(before);
	});

	it('have the permissions of the git folder', async () => {
		const {change, one, gitDir} = repository();
		chmodSync(gitDir, 0o2770);
		await change({ref: 'refs/heads/x/y', old: none, new: one});
		expect(statSync(join(gitDir, 'refs/heads/x')).mode & 0o7777).toBe(0o2770);
		expect(statSync(join(gitDir, 'refs/heads/x/y')).mode & 0o7777).toBe(0o660);
	});
});
