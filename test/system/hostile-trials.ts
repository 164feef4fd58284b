import {execFileSync, spawn} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import type {TempProject} from '../helpers/temp-project.ts';
import {asks, asksToTake, meanwhile, python, shows, take, type Attack} from './hostile-attack.ts';
import {reading} from './hostile-secrets.ts';
import {put, secret} from './tried.ts';

/** A program that waits at a socket, and sends the secret to everybody. */
function serve(project: TempProject, name: string): void {
	const code = `import socket
s=socket.socket(1);s.bind(${JSON.stringify(name)});s.listen()
while True: s.accept()[0].send(b'${secret}')`;
	const server = spawn('python3', ['-c', code], {cwd: project.dir, stdio: 'ignore'});
	onTestFinished(() => void server.kill());
	const isThere = () => readdirSync(project.dir).includes(name) || name.startsWith('\0');
	while (!isThere()) execFileSync('true');
}

const connect = (address: string) =>
	python(
		`import socket\ns=socket.socket(1)\ntry:\n  s.connect(${address});print(s.recv(99))\nexcept OSError as e: print(e)`,
	);

const writing: readonly Attack[] = [
	[
		"caches of the user's projects",
		[
			'mkdir -p ~/.npm/_npx; echo evil > ~/.npm/_npx/x; echo evil > ~/.cache/pip/y; echo > new',
			'cat ~/.npm/_npx/x ~/.cache/pip/y',
		],
		{},
		({contents}) => expect(contents[1]).not.toContain('evil'),
	],
	[
		'caches that approved commands use',
		['mkdir __pycache__; echo evil > __pycache__/m.pyc', 'cat __pycache__/m.pyc # ; docker'],
		{answer: ({title}) => (title.startsWith('Run') ? 'allow' : 'deny')},
		({contents, titles}) => {
			expect(titles).toEqual(['Run this command?']);
			expect(contents[1]).not.toContain('evil');
		},
	],
	['files through /proc', 'for f in /proc/[0-9]*/root$PWD/a.txt /proc/[0-9]*/cwd/a.txt; do echo evil > $f; done'],
	[
		'the kernel',
		'echo 1 > /proc/sys/kernel/panic; echo evil > /proc/sysrq-trigger; echo 5 > /proc/1/oom_score_adj; echo > /sys/x',
	],
	[
		'the state of inkpod',
		'cd $(dirname $(readlink /proc/self/fd/1)); ls; echo evil > x; echo evil > /proc/self/fd/1/../x',
	],
	[
		'its own output',
		python(
			`import os\nf=os.open('/proc/self/fd/1',os.O_RDWR)\nos.write(f,b'evil')\nos.chmod('/proc/self/fd/1',0o777)`,
		),
	],
	[
		'the configuration of git',
		'git config core.fsmonitor evil; git config --global alias.x "!evil"; echo evil > .git/hooks/pre-commit',
		take,
		({git}) => {
			expect(git('config', '--list', '--show-origin')).not.toContain('evil');
			expect(() => git('hook', 'run', 'pre-commit')).toThrow();
		},
	],
	[
		'by programs of git',
		'git -c core.fsmonitor="touch x1 #" -c core.pager="touch x2" -c diff.external="touch x3" diff; ' +
			'GIT_EXTERNAL_DIFF="touch x4" git diff',
		{},
	],
	[
		'a repository with hooks',
		'git init -q sub; git -C sub config core.hooksPath x; echo evil > sub/.git/hooks/pre-commit',
		take,
		({project}) => {
			expect(readFileSync(project.path('sub/.git/config'), 'utf8')).not.toContain('hooksPath');
			expect(readdirSync(project.path('sub/.git'))).not.toContain('hooks');
		},
	],
	[
		'by a child of a child that ignores signals',
		`(setsid sh -c 'trap "" TERM HUP INT; sleep 1; echo evil > a.txt; exec sleep 777' &)
(nohup setsid sleep 777 &); echo > b`,
		take,
		({project}) => expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('one\n'),
	],
	[
		'by the first process',
		python(
			`import ctypes,os\nl=ctypes.CDLL(None)\nprint(l.ptrace(16,1,0,0),l.syscall(310,1,0,0,0,0,0))\nos.kill(1,9)`,
		) + '; for i in $(seq 200); do (sleep 777 &); done',
	],
];

const reaching: readonly Attack[] = [
	[
		'a server',
		python(
			`import socket
for f,a in ((2,('127.0.0.1',9)),(2,('1.1.1.1',53)),(10,('::1',9)),(10,('2606:4700:4700::1111',53))):
  for t in (1,2):
    s=socket.socket(f,t)
    try:
      s.connect(a);s.send(b'x');print(s.recv(9))
    except OSError as e: print(e)`,
		),
		{},
		asks,
	],
	['a name', 'getent hosts example.com; python3 -c "import socket;socket.gethostbyname(\'example.com\')"', {}, asks],
	[
		'a program at a socket of the project',
		connect(`__import__('glob').glob('x.s*')[0]`),
		{prepare: p => serve(p, 'x.sock')},
	],
	[
		'a program at a socket without a path',
		connect(`'\\0inkpod-hostile'`),
		{prepare: p => serve(p, '\0inkpod-hostile')},
	],
	[
		'other families',
		python(
			`import socket
for f in range(3,46):
  for t in (1,2,3,5):
    try: socket.socket(f,t); print('family',f)
    except OSError: pass`,
		),
		{},
		({contents}) => expect(new Set(contents[0]?.match(/family \d+/g))).toEqual(new Set(['family 10', 'family 16'])),
	],
	[
		'descriptors of inkpod',
		'readlink /proc/1/fd/* /proc/$$/fd/*; true',
		{},
		({contents: [content = '']}) => {
			const others = content.split('\n').filter(line => !/^\/dev\/null$|\/output\/\w+\.txt$/.test(line));
			expect(others).toEqual([]);
		},
	],
];

const flooding: readonly Attack[] = [
	['a file with holes', 'truncate -s 10T big', {}, shows('+ big')],
	['20,000 files', 'mkdir n; cd n; seq 20000 | xargs touch', {}, shows('+20000 n/')],
	[
		'many large diffs',
		python(
			`import io
for i in range(60):
  io.FileIO(f'f{i}','w').write(b''.join(b'%d\\n' % (j*7919*(i+2)%99991) for j in range(20000)))`,
		),
		{
			prepare: p => {
				for (let n = 0; n < 60; n++)
					writeFileSync(p.path(`f${n}`), Array.from({length: 20_000}, (_, m) => (m * 31) % 9973).join('\n'));
				let last = performance.now();
				meanwhile(() => {
					longest = Math.max(longest, performance.now() - last);
					last = performance.now();
				});
			},
		},
		() => expect(longest).toBeLessThan(5000),
	],
	['memory', `python3 -c "x=bytearray(3<<30)"`, {}, asks],
	[
		'much output',
		'head -c 20M /dev/zero | tr "\\0" x',
		{},
		({contents}) => expect(contents[0]!.length).toBeLessThan(200_000),
	],
];
let longest = 0;

const acceptEdits = {approval: {mode: 'accept-edits', rules: {user: [], project: []}}} as const;

const hiding: readonly Attack[] = [
	['a folder that becomes a file', 'rm -r d; echo x > d', {}, shows('- d', '+ d')],
	['a file that becomes a folder', 'rm a.txt; mkdir a.txt; echo x > a.txt/x', {}, shows('- a.txt', '+ a.txt/x')],
	[
		'where links lead',
		'ln -sf /etc/passwd a.txt; ln -s ../../x new',
		{},
		shows('~ a.txt → "/etc/passwd"', '+ new → "../../x"'),
	],
	[
		'a link in a new folder',
		'mkdir n; touch n/{1..9}; ln -s 1 n/in; ln -s /etc/passwd n/out',
		{},
		shows('+10 n/', '+ n/out → "/etc/passwd"'),
	],
	[
		'a link that leads out by way of another link',
		'mkdir -p n/a/b; touch n/{1..9}; ln -s ../.. n/a/b/up; ln -s up/../../x n/a/b/e',
		{},
		shows('+ n/a/b/e → "up/../../x"'),
	],
	[
		'files in a new folder that everybody may change',
		'mkdir -p n/s; touch n/{1..19}; chmod 666 n/3; chmod 777 n/s',
		{},
		shows('+18 n/', '+ n/3 (permissions 666)', '+0 n/s/ (permissions 777)'),
	],
	[
		'permissions',
		'chmod 777 a.txt d; echo x > n; chmod 755 n',
		{},
		shows('~ a.txt (permissions 644 → 777)', '~ d/ (permissions 755 → 777)', '+ n (permissions 755)'),
	],
	[
		'permissions of a small new folder',
		'mkdir -m 777 n; echo x > n/x',
		{},
		shows('+0 n/ (permissions 777)', '+ n/x'),
	],
	['removed permissions', 'chmod 0 d', {}, shows('~ d/ (permissions 755 → 000)')],
	['empty folders and files', 'mkdir -p e/f; : > g', {}, shows('+0 e/', '+ g')],
	[
		'the rest of a large file',
		'echo small > big',
		{prepare: p => void put(p, 'project/big', 'x\n'.repeat(200_000))},
		({shown}) => expect(shown).not.toContain('/dev/null'),
	],
	[
		'files that other programs run, in a large folder',
		'mkdir -p big/x; cd big; seq 2000 | xargs touch; mkdir x/.vscode; echo {} > x/.vscode/tasks.json; ln -s /x x/fish',
		{},
		({shown}) => {
			expect(shown).toContain('+ big/x/.vscode/tasks.json (other programs run this file)');
			expect(shown).toContain('big/x/fish → "/x" (other programs run this file)');
		},
	],
	['lines in names', `touch $'x\\n- y' $'\\r~ z'`, {}, shows('+ x\\n- y', '+ \\r~ z')],
	['what is not a file', 'mkfifo p', {}, shows('! p: is not created, because it is not a file, link or folder')],
	[
		'files outside of the project',
		'echo x > ../wr/x',
		{...acceptEdits, write: ['wr'], prepare: p => void put(p, 'wr/y', '')},
		asksToTake,
	],
	...['tag t', 'branch -D keep', 'checkout -q -b other', 'rm -q --cached f', 'update-ref refs/heads/main main~1'].map(
		(command): Attack => [
			`changes of a repository outside of the project: git ${command}`,
			`git -C ../wr ${command}`,
			{
				...{...acceptEdits, write: ['wr']},
				prepare(p, git) {
					put(p, 'wr/f', 'one');
					for (const words of ['init -q -b main', 'add f', 'commit -qm one', 'branch keep'])
						git('-C', '../wr', ...words.split(' '));
					git('-C', '../wr', 'commit', '-q', '--allow-empty', '-m', 'two');
				},
			},
			asksToTake,
		],
	),
	[
		'the repository of a reference',
		'git tag t; git -C ../wr tag t',
		{
			write: ['wr'],
			prepare(p, git) {
				put(p, 'wr/f', 'one');
				git('-C', '../wr', 'init', '-q', '-b', 'main');
				git('-C', '../wr', 'commit', '-q', '--allow-empty', '-m', 'one');
			},
		},
		({shown, top}) => {
			expect(shown).toMatch(/git: refs\/tags\/t nothing → [\da-f]{9}\n/);
			expect(shown).toMatch(new RegExp(`git: refs/tags/t nothing → [\\da-f]{9} \\(${top}/wr/.git\\)`));
		},
	],
	[
		'what it said would stay',
		'mkdir .vscode; echo {} > .vscode/tasks.json; echo evil > x; while ! ls d | grep -q go; do sleep 0.05; done',
		{
			prepare: p =>
				meanwhile(n => {
					if (n === 60) writeFileSync(p.path('x'), 'of the user');
					if (n === 60) writeFileSync(p.path('d/go'), '');
				}),
			answer: ({detail}, p) => {
				if (detail.includes('! x: ')) rmSync(p.path('x'));
				return 'allow';
			},
		},
		({project, shown}) => {
			expect(shown).toContain('! x: ');
			expect(readdirSync(project.dir).includes('x')).toBe(false);
		},
	],
	[
		'a file of the user in a deleted folder',
		'rm -r d',
		{
			answer: (_, p) => {
				writeFileSync(p.path('d/of-the-user'), '');
				return 'allow';
			},
		},
		({project}) => expect(readdirSync(project.path('d'))).toContain('of-the-user'),
	],
	[
		'what was not marked',
		`mkdir .vscode n; echo {} > .vscode/tasks.json; echo x > $'x\\n+ n'; ln -s /etc/passwd n/x; echo evil > a.txt
git config core.fsmonitor evil; echo evil > .git/hooks/pre-commit; git tag t; rm -r d`,
		{answer: ({questions}) => (questions === undefined ? 'some' : ['x\\n'])},
		({project, git}) => {
			expect(readdirSync(project.dir).toSorted()).toEqual(['.env', '.git', 'a.txt', 'd', 'x\n+ n']);
			expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('one\n');
			expect(git('tag') + git('config', '--list', '--local')).not.toMatch(/^t$|evil/m);
		},
	],
	[
		'another place',
		'echo evil > d/x',
		{
			answer: (_, p) => {
				renameSync(p.path('d'), p.path('e'));
				mkdirSync(p.path('../out'));
				symlinkSync('../out', p.path('d'));
				return 'allow';
			},
		},
		({top}) => expect(readdirSync(join(top, 'out'))).toEqual([]),
	],
];

/** All attacks. */
export const attacks: Readonly<Record<string, readonly Attack[]>> = {
	reads: reading,
	writes: writing,
	reaches: reaching,
	floods: flooding,
	'does not show': hiding,
};
