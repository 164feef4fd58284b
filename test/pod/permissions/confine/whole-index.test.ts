import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {readIndex} from '../../../../src/pod/permissions/confine/git-index.ts';
import {wholeIndex} from '../../../../src/pod/permissions/confine/whole-index.ts';

function repository(hash: string, command: string) {
	const dir = mkdtempSync(join(tmpdir(), 'inkpod-split-'));
	onTestFinished(() => rmSync(dir, {recursive: true, force: true}));
	const run = (line: string) =>
		execFileSync('sh', ['-ec', line], {
			cwd: dir,
			encoding: 'latin1',
			env: {
				...process.env,
				GIT_CONFIG_GLOBAL: '/dev/null',
				GIT_CONFIG_COUNT: '1',
				GIT_CONFIG_KEY_0: 'splitIndex.maxPercentChange',
				GIT_CONFIG_VALUE_0: '100',
			},
		});
	const read = (name: string) => readFileSync(join(dir, '.git', name));
	run(
		`git init -q --object-format=${hash}; for n in $(seq 200); do echo $n > f$n; done; git add .
git update-index --split-index; ${command}`,
	);
	return {dir, run, read};
}

function listOf(index: Buffer, hashBytes: 20 | 32): string {
	let list = '';
	readIndex(index, hashBytes, ({mode, object, path, at}) => {
		const stage = (index.readUInt16BE(at + 40 + hashBytes) >> 12) & 3;
		list += `${mode.toString(8).padStart(6, '0')} ${object} ${stage}\t${path}\0`;
	});
	return list;
}

it.each(['sha1', 'sha256'])('puts the parts of an index together as git does (%s)', hash => {
	const conflict = `B=$(git hash-object f1)
printf '100644 %s 1\\tf9\\n100644 %s 2\\tf9\\n' $B $B | git update-index --index-info`;
	const {dir, run, read} = repository(
		hash,
		`git rm -q --cached f3 f77 f200; echo more > f5; echo more > f100; git add f5 f100; echo new > new; git add new
git update-index --chmod=+x f150; git update-index --skip-worktree f6; git update-index --force-remove f9; ${conflict}
n=$(printf 'x\\377%0240d' 0); echo long > $n; git add $n; echo > later; git add -N later; rm f200
mkdir f200; echo > f200/f; git add f200`,
	);
	const bytes = read('index');
	const hashBytes = hash === 'sha1' ? 20 : 32;
	expect(readIndex(bytes, hashBytes)?.shared).toBeDefined();
	const whole = wholeIndex(bytes, hashBytes, read);
	expect(whole && listOf(whole, hashBytes)).toBe(run('git ls-files -sz'));
	const debug = run('git ls-files --debug | grep -v flags; git ls-files -v');
	writeFileSync(join(dir, '.git/index'), whole ?? '');
	expect(run('git ls-files --debug | grep -v flags; git ls-files -v')).toBe(debug);
});

it('returns nothing for an index that is not split', () => {
	const {read} = repository('sha1', 'git update-index --no-split-index');
	expect(wholeIndex(read('index'), 20, read)).toBeUndefined();
});

it('returns nothing if the parts do not fit', () => {
	const {read} = repository('sha1', 'git rm -q --cached f3; echo > f5; git add f5');
	const bytes = read('index');
	const other = read(`sharedindex.${readIndex(bytes, 20)?.shared}`);
	expect(wholeIndex(bytes, 20, () => undefined)).toBeUndefined();
	expect(wholeIndex(bytes, 20, () => bytes)).toBeUndefined();
	const changed = Buffer.from(other);
	changed.writeUInt8(1, 20);
	expect(wholeIndex(bytes, 20, () => changed)).toBeUndefined();
});
