import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {gitProject, type GitProject} from '../helpers/git-cell.ts';

const begin = 'git init -q && echo one > a && git add . && git commit -qm first';

/** Writes a program that reports when git outside runs it. */
const evil = `printf '#!/bin/sh\\n[ -n "$OUTSIDE" ] && echo ran >> "$RAN"\\n' > evil && chmod +x evil
printf .git > target
`;

/** Writes an index from lines of Python that define its version, the number of its entries, and the rest of it. */
const forge = (lines: string) => `python3 - <<'END'
import hashlib, struct, subprocess
def stored(name):
    return bytes.fromhex(subprocess.check_output(['git', 'hash-object', '-w', name]).decode().strip())
hook = b'.git/hooks/post-checkout'
oid = stored('evil')
def start(mode, oid):
    return struct.pack('>10I', 0, 0, 0, 0, 0, 0, mode, 0, 0, 0) + oid
def entry(name, length=None, mode=0o100755, oid=oid):
    e = start(mode, oid) + struct.pack('>H', len(name) if length is None else length) + name
    return e + b'\\0' * (8 - len(e) % 8)
def entry4(drop, name, length):
    return start(0o100755, oid) + struct.pack('>HB', length, drop) + name + b'\\0'
def ext(name, data):
    return name + struct.pack('>I', len(data)) + data
def ends(at, *extensions):
    return ext(b'EOIE', struct.pack('>I', at) + hashlib.sha1(b''.join(one[:8] for one in extensions)).digest())
def table(*numbers):
    return ext(b'IEOT', struct.pack('>%dI' % (len(numbers) + 1), 1, *numbers))
def write(path, version, count, rest):
    body = struct.pack('>4sII', b'DIRC', version, count) + rest
    end = hashlib.sha1(body).digest()
    open(path.replace('*', end.hex()), 'wb').write(body + end)
    return end
none = struct.pack('>IIQI', 0, 1, 0, 0)
${lines}
write('.git/index', version, count, rest)
END`;

/** Each is obeyed without a cell. `index.threads` counts as if the project were large. */
const attacks: ReadonlyArray<readonly [name: string, lines: string]> = [
	['an entry in the folder of git', 'version, count, rest = 2, 1, entry(hook)'],
	[
		'a wrong length, so that git reads an entry in an extension',
		"version, count, rest = 2, 2, entry(b'a', 69) + entry(b'b') + ext(b'TREE', entry(hook))",
	],
	[
		'a wrong length before names that are made from the one before',
		`version, count, rest = 4, 2, entry4(0, b'a', 85) + entry4(1, b'b', 1)
rest += ext(b'TREE', b'\\0' * (161 - 20 - len(rest)) + entry4(85, hook, len(hook)))`,
	],
	[
		'a table of other entries, which are in an extension',
		`version, count, rest = 2, 2, entry(b'a') + entry(b'b')
at = 12 + len(rest) + 8
t, hidden = table(at, 1, at + 64, 1), ext(b'TREE', entry(b'c') + entry(hook))
rest += hidden + t + ends(at - 8 + len(hidden), t)`,
	],
	[
		'a table of blocks in which names begin anew',
		`version, count, rest = 4, 2, entry4(0, b'x', 1) + entry4(0, hook, 1 + len(hook))
t = table(12, 1, 12 + 62 + 3, 1)
rest += t + ends(12 + len(rest), t)`,
	],
	[
		'another beginning of the extensions, so that git reads one in another',
		`shared = write('.git/sharedindex.*', 2, 2, entry(b'a', 69) + entry(b'b') + ext(b'TREE', entry(hook)))
version, count, link = 2, 0, ext(b'link', shared + none + none)
rest = ext(b'TREE', link) + ends(12 + 8, link)`,
	],
	[
		'another beginning of the extensions, which itself is in an extension',
		`shared = write('.git/sharedindex.*', 2, 2, entry(b'a', 69) + entry(b'b') + ext(b'TREE', entry(hook)))
version, count, link = 2, 0, ext(b'link', shared + none + none)
rest = ext(b'TREE', link + ends(12 + 8, link))`,
	],
];

const ran = (project: GitProject) => existsSync(join(project.dir, '../ran'));
const checkOut = `export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=index.threads GIT_CONFIG_VALUE_0=4
for c in "checkout-index -qfa" "checkout -qf ." "reset -q --hard" "checkout -q HEAD"
do git $c 2>/dev/null; done; true`;

it.each(attacks)('makes no hook when git checks out an index with %s', async (_name, lines) => {
	const project = gitProject(begin);
	const {leftOut} = await project.inside(`${evil}${forge(lines)}`);
	project.outside(checkOut);
	expect(ran(project)).toBe(false);
	expect(leftOut).toContainEqual({path: '.git/index', why: 'git'});
	const plain = gitProject(begin);
	plain.outside(`${evil}${forge(lines)}\n${checkOut}`);
	expect(ran(plain), 'without a cell').toBe(true);
});

it('commits what the index says, whatever it says about trees', async () => {
	const project = gitProject(begin);
	const {leftOut} = await project.inside(`${evil}echo two > a; git add a
${forge(`tree = subprocess.check_output(['git', 'mktree'], input=b'100755 blob %s\\tevil\\n' % oid.hex().encode())
trees = b'\\0001 0\\n' + bytes.fromhex(tree.decode().strip())
version, count, rest = 2, 1, entry(b'a', oid=stored('a'), mode=0o100644) + ext(b'TREE', trees)`)}`);
	expect(leftOut).toEqual([]);
	expect(project.outside('git diff --cached --stat; git commit -qm second; git ls-tree -r --name-only HEAD')).toBe(
		' a | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\na\n',
	);
});

it.each([
	['of version 2', 'git update-index --index-version 2; git read-tree HEAD'],
	['of version 4', 'git update-index --index-version 4'],
	['with an entry that has no contents yet', 'echo > later; git add -N later'],
	['that is split', 'git update-index --split-index; echo > later; git add later'],
	['with a list of untracked files', 'git update-index --untracked-cache; git status'],
	['of a sparse checkout', 'git sparse-checkout set --cone --sparse-index d1'],
	['with conflicts', 'git checkout -q -b o HEAD~; echo o > a; git commit -qam o; git merge main || git add a'],
	['with a long name', 'n=$(printf %0250d 0); mkdir -p $n/$n/$n/$n; echo > $n/$n/$n/$n/$n; git add .'],
])('takes over the entries of an index %s', async (name, command) => {
	const project = gitProject(
		`${begin}; for d in d1 d2 d3; do mkdir $d; for f in 1 2 3 4; do echo > $d/$f; done; done; echo 2 > a; git add .
git commit -qm second`,
	);
	const {leftOut} = await project.inside(
		`${command}; echo > new; git -c index.threads=3 add --sparse new; git ls-files -s > ../listed
grep -c IEOT .git/index > ../tables`,
	);
	if (!/conflicts|split/.test(name)) expect(project.outside('cat ../tables')).toBe('1\n');
	expect(project.outside('! grep -cE "TREE|UNTR|IEOT|EOIE" .git/index')).toBe('0\n');
	expect(leftOut.filter(({path}) => path.endsWith('index'))).toEqual([]);
	expect(project.outside('git ls-files -s | cmp - ../listed && git ls-files new')).toBe('new\n');
});
