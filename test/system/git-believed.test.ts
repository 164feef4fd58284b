import {describe, expect, it} from 'vitest';
import {gitProject} from '../helpers/git-cell.ts';

/** A file that the user has changed and not committed. */
const begin = `git init -q; echo a > a; echo b > b; git add .; git commit -qm 1; git branch old; echo a2 > a
git commit -qam 2; echo mine > a; sleep 1.1`;

/** Says in the index that the committed contents of `a` are those of the file that is there. */
const forged = (isSplit = false) => `cat > ../forge.py <<'END'
import hashlib, os, struct
index, file = bytearray(open('.git/index', 'rb').read()[:-20]), os.lstat('a')
at = 12
for n in range(struct.unpack_from('>I', index, 8)[0]):
    end = index.index(0, at + 62)
    if index[at + 62:end] == b'a':
        times = divmod(file.st_ctime_ns, 10**9) + divmod(file.st_mtime_ns, 10**9)
        struct.pack_into('>4I', index, at, *times)
        struct.pack_into('>2I', index, at + 16, file.st_dev & 0xffffffff, file.st_ino & 0xffffffff)
        struct.pack_into('>3I', index, at + 28, file.st_uid, file.st_gid, file.st_size)
    at += (end - at + 8) & ~7
def write(name, body):
    hash = hashlib.sha1(body).digest()
    open(name.replace('*', hash.hex()), 'wb').write(body + hash)
    return hash
if ${isSplit ? 1 : 0}:
    link = write('.git/sharedindex.*', index[:at])
    index = b'DIRC' + struct.pack('>2I', 2, 0) + b'link' + struct.pack('>I', 60) + link
    index += struct.pack('>2IQI', 0, 1, 0, 0) * 2
write('.git/index', index)
END
python3 ../forge.py`;

type Case = readonly [what: string, command: string, user: string, lost: string];

const cases: readonly Case[] = [
	['says that a file has not changed', `echo c > c; git add c; ${forged()}`, 'git checkout -q old', 'a'],
	['says it and is split', forged(true), 'git checkout -q old', 'a'],
	['assumes it', 'git update-index --assume-unchanged a', 'echo mine > b; git stash -q; git stash pop -q', 'a2'],
];

describe('an index of a command', () => {
	it.each(cases)('does not make git overwrite a change of the user if it %s', async (_what, command, user, lost) => {
		const after = `{ ${user}; } 2>&1; cat a`;
		const project = gitProject(begin);
		const {leftOut} = await project.inside(command);
		expect(leftOut).toEqual([]);
		expect(project.outside('git status --short a')).toBe(' M a\n');
		expect(project.outside(after)).toMatch(/mine\n$/);
		const plain = gitProject(begin);
		plain.outside(command);
		expect(plain.outside(after), 'without a cell').toBe(`${lost}\n`);
	});

	it.each(['--assume-unchanged', '--skip-worktree'])('does not hide what the command changed (%s)', async mark => {
		const project = gitProject(`${begin}; git update-index ${mark} a`);
		await project.inside(`echo evil > b; git update-index ${mark} b`);
		expect(project.outside('git status --short')).toBe(' M b\n');
	});

	it('keeps the marks of a sparse checkout', async () => {
		const project = gitProject(
			`mkdir d e; git init -q; echo > d/d; echo > e/e; git add .; git commit -qm 1; git sparse-checkout set d`,
		);
		await project.inside('git sparse-checkout add e; git sparse-checkout set e');
		expect(project.outside('git status --short; ls')).toBe('e\n');
	});

	it('keeps the marks of a new repository with a sparse checkout', async () => {
		const project = gitProject('mkdir d; git init -q; echo > a; echo > d/d; git add .; git commit -qm 1');
		await project.inside('git clone -q --no-hardlinks --sparse . ../n && mv ../n n');
		expect(project.outside('cd n; git status --short; ls')).toBe('a\n');
	});

	it('does not make git read files that have not changed', async () => {
		const project = gitProject(`${begin}; touch -d 2020-01-01 b; git update-index -q --refresh`);
		const entry = `git ls-files --debug b | grep -v flags`;
		const before = project.outside(entry);
		expect(before).not.toContain('size: 0');
		await project.inside('echo c > c; git add c');
		expect(project.outside(entry)).toBe(before);
	});
});

/** The file is staged, and a commit does not change the index. */
const staged = `git init -q; echo a > a; git add .; git commit -qm 1; git branch topic
git worktree add -q --detach ../w; echo b > b; git add b`;
/** Another commit. */
const theirs = '$(git -C ../w rev-parse HEAD)';
const moveTopic = 'cd ../w; echo mine > a; git commit -qam mine; git branch -f topic HEAD';

type Moved = readonly [what: string, command: string, user: string, left: string];

const moved: readonly Moved[] = [
	['committed', 'git reset -q', 'git commit -qm mine', '.git/index'],
	['committed, with packed references', 'git reset -q', 'git commit -qm mine; git pack-refs --all', '.git/index'],
	['moved', 'git checkout -q topic', moveTopic, '.git/HEAD'],
];

describe('a branch that the user', () => {
	it.each(moved)('%s meanwhile keeps its HEAD and its index', async (_what, command, user, left) => {
		const project = gitProject(staged);
		const {leftOut} = await project.inside(command, () => project.outside(user));
		expect(leftOut).toContainEqual({path: left, why: 'conflict'});
		expect(project.outside('git ls-files b; git symbolic-ref HEAD')).toBe('b\nrefs/heads/main\n');
	});

	it.each([
		['moved', 'git checkout -q topic', moveTopic],
		['moved, with a commit of the command', 'git commit -qm theirs', `git update-ref refs/heads/main ${theirs}`],
		['deleted', 'git checkout -q topic', 'git branch -D topic'],
		['created', 'git checkout -q -b new', `git branch new ${theirs}`],
	])('%s while inkpod asks keeps its HEAD and its index', async (_what, command, user) => {
		const project = gitProject(`${staged}; git -C ../w commit -q --allow-empty -m w; git branch -f topic main`);
		const see = 'git ls-files -s; git symbolic-ref HEAD';
		const before = project.outside(see);
		let isDone = false;
		const {leftOut} = await project.inside(`${command}; echo > z; git add z`, undefined, () => {
			if (!isDone) project.outside(user);
			isDone = true;
		});
		expect(leftOut.map(({path}) => path)).toContain('.git/index');
		expect(project.outside(see)).toBe(before);
	});
});
