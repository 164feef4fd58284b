import {appendFileSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {expect} from 'vitest';
import type {TempProject} from '../helpers/temp-project.ts';
import {asks, looks, meanwhile, python, type Attack} from './hostile-attack.ts';
import {put, secret} from './tried.ts';

const login = (text = '') => `${text}url = https://me:${secret}@example.com/a.git\n`;

/** Commands that read secrets. */
export const reading: readonly Attack[] = [
	[
		'mapped',
		python(
			`import mmap,glob\nf=__import__('io').FileIO(glob.glob('.e*')[0])\nprint(mmap.mmap(f.fileno(),0,prot=1)[:])`,
		),
		{},
		asks,
	],
	['executed', '. ./.e*; echo $KEY', {}, asks],
	[
		'without a time of reading',
		python(`import os,glob\nprint(os.read(os.open(glob.glob('.e*')[0],os.O_NOATIME),99))`),
	],
	[
		'through a descriptor that cannot read',
		python(
			`import os,glob
f=os.open(glob.glob('.e*')[0],os.O_PATH)
print(os.read(os.open(f'/proc/self/fd/{f}',os.O_NOATIME),99))`,
		),
	],
	['with the facts only', 'stat -c "%s %a" .e*', {}, looks],
	['by a second name', 'ln .e* x; cat x'],
	['by a new name', 'mv .e* x; cat x'],
	['by a link', 'ln -s .e* x; cat x', {}, asks],
	['in a folder with another name', 'mv e f; cat f/.e*', {prepare: p => void put(p, 'project/e/.env', secret)}, asks],
	['through another process', 'cat /proc/1/cwd/.e* /proc/$$/root/proc/1/cwd/.e*', {}, asks],
	['by git', 'git add -A; git cat-file --batch-all-objects --batch', {}, asks],
	['in an archive', 'tar c . | cat', {}, asks],
	[
		'by an attribute of the layer',
		python(
			`import os\nos.setxattr('d','user.overlay.redirect',b'/.env')\nos.setxattr('d','user.overlay.opaque',b'y')`,
		) + '; ls d; cat d/c.txt',
	],
	['in a folder of keys', 'cat .s*/*', {prepare: p => void put(p, 'project/.ssh/work', secret)}, asks],
	['in a folder whose name is not UTF-8', 'cat caf*/.e*', {prepare: p => notUtf8(p, 'caf', '/.env')}, asks],
	['with a name that is not UTF-8', 'cat .[e]*', {prepare: p => notUtf8(p, '.env.', '')}, asks],
	[
		'in a package',
		'cat node_modules/x/.e*',
		{prepare: p => void put(p, 'project/node_modules/x/.env', secret)},
		asks,
	],
	['in the file of an editor', 'cat .*.s?p', {prepare: p => void put(p, 'project/.env.swp', secret)}, asks],
	[
		'in files of editors with other names',
		'cat .tok*; cat .\\#* \\#* .id* 2>&1',
		{
			prepare: p =>
				['.token.json.swo', '#.env#', '.id_rsa.un~'].forEach(name => put(p, `project/${name}`, secret)),
		},
		asks,
	],
	...(['.aws', '.ssh', '.docker', 'sub/.kube', 'gcloud'] as const).map((name): Attack => [
		`in a folder that a link calls ${name}`,
		`cat ${name.slice(0, -1)}*/config.json`,
		{
			prepare(p) {
				put(p, 'project/cfg/config.json', secret);
				put(p, 'project/sub/x', '');
				symlinkSync(name.includes('/') ? '../cfg' : 'cfg', p.path(name));
			},
		},
		asks,
	]),
	[
		'in the configuration of a git folder with another name',
		'cat store/con*; git remote -v',
		{
			prepare(p, git) {
				git('init', '-q', '--separate-git-dir', p.path('store'));
				git('remote', 'add', 'o', login().slice(6).trim());
			},
		},
		asks,
	],
	...[`url = https://h/a?private_token=${secret}`, `x = !curl -H 'Authorization: Bearer ${secret}' h`].map(
		(line): Attack => [
			`in the configuration of git: ${line.slice(0, 20)}`,
			'git config --list',
			{prepare: p => void put(p, 'project/.git/config', `[core]\n\tbare = false\n[alias]\n\t${line}\n`)},
			asks,
		],
	),
	[
		'in an added folder',
		'cat ../ro/c*',
		{readRoots: ['ro'], prepare: p => void put(p, 'ro/credentials.json', secret)},
		asks,
	],
	[
		'in a folder of confine.write',
		'cat ../wr/c*',
		{write: ['wr'], prepare: p => void put(p, 'wr/credentials.json', secret)},
		asks,
	],
	[
		'in a folder of confine.show',
		'cat ~/t/c*',
		{show: ['home/t'], prepare: p => void put(p, 'home/t/credentials.json', secret)},
		asks,
	],
	[
		'that confine.show names',
		'cat ~/.n*',
		{show: ['home/.netrc'], prepare: p => void put(p, 'home/.netrc', secret)},
		asks,
	],
	['in the repository around', 'cat ../.e*', {pwd: 'd'}, asks],
	[
		'in the configuration of the repository around',
		'cat ../.git/con*',
		{pwd: 'd', prepare: (_, git) => void git('remote', 'add', 'o', login().slice(6).trim())},
		asks,
	],
	[
		'in the configuration of a submodule',
		'cat .git/modules/x/con*',
		{prepare: p => void put(p, 'project/.git/modules/x/config', login())},
		asks,
	],
	['in the list of submodules', 'cat .gitm*', {prepare: p => void put(p, 'project/.gitmodules', login())}, asks],
	[
		'in a log of git',
		'cat .git/logs/refs/x*',
		{prepare: p => void put(p, 'project/.git/logs/refs/x', login('clone: from '))},
		asks,
	],
	[
		'in a setting on the line of its section',
		'git config --list',
		{prepare: p => appendFileSync(p.path('.git/config'), `[http] extraheader = X-JFrog-Art-Api: ${secret}\n`)},
		asks,
	],
	[
		'in a remote that is a file of its own',
		'cat .git/remotes/*',
		{prepare: p => void put(p, 'project/.git/remotes/o', `URL: https://me:${secret}@example.com/a.git\n`)},
		asks,
	],
	[
		'in the project, below a tool chain that leads to a folder above it',
		'cat ~/bin/d/.e*',
		{
			pwd: 'd',
			prepare(p) {
				rmSync(p.path('.git'), {recursive: true});
				put(p, 'project/d/.env', secret);
				symlinkSync(p.dir, put(p, 'home/x', '').replace(/x$/, 'bin'));
			},
		},
		({sent}) => expect(sent).not.toContain(secret),
	],
	['in a folder of git', 'cat .git/x/.e*', {prepare: p => void put(p, 'project/.git/x/.env', secret)}, asks],
	[
		'in what looks like git',
		'cat fake/sub/.e*',
		{prepare: p => ['HEAD', 'commondir', 'sub/.env'].forEach(name => put(p, `project/fake/${name}`, secret))},
		({sent}) => expect(sent).not.toContain(secret),
	],
	[
		'that is another name of a key',
		'cat notes',
		{prepare: p => linkSync(put(p, 'home/.ssh/id_rsa', secret), p.path('notes'))},
		asks,
	],
	[
		'with another name in the project',
		'cat notes',
		{prepare: p => linkSync(put(p, 'project/node_modules/x/.env', secret), p.path('notes'))},
		asks,
	],
	[
		'that a rule protects',
		'cat pri*/*',
		{
			approval: {
				mode: 'ask',
				rules: {user: [{tool: 'read_file', match: 'private', action: 'deny'}], project: []},
			},
			prepare: p => void put(p, 'project/private/x', secret),
		},
		asks,
	],
	[
		'that appears',
		'for i in $(seq 150); do cat .e*n?w 2>/dev/null; sleep 0.01; done',
		{prepare: p => meanwhile(n => n > 40 && writeFileSync(p.path('.env.new'), secret))},
		asks,
	],
	[
		'that replaces another one',
		'sleep 1; cat d/.e*',
		{
			prepare: p => {
				put(p, 'project/d/.env', 'x');
				meanwhile(() => renameSync(put(p, 'project/d/next', secret), p.path('d/.env')));
			},
		},
		asks,
	],
];

function notUtf8(project: TempProject, name: string, rest: string): void {
	const start = Buffer.concat([Buffer.from(`${project.dir}/${name}`), Buffer.of(0xe9)]);
	if (rest !== '') mkdirSync(start);
	writeFileSync(Buffer.concat([start, Buffer.from(rest)]), secret);
}
