import {execFileSync, spawnSync} from 'node:child_process';
import {
	closeSync,
	cpSync,
	lstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
} from 'node:fs';
import {writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {bashOf} from '../../src/pod/ground/env/child-env.ts';
import {narrowDetails, type Ask} from '../../src/pod/protocol.ts';
import {calls, familyModel, itemsOf, says} from './family.ts';
import {testPod} from './pod.ts';
import {tempProject, type TempProject} from './temp-project.ts';

/** What came of a command, tried by inkpod or run without it. */
export type Ran = {
	readonly output: string;
	readonly code: number | undefined;
	/** The changes of files, as a card lists them. */
	readonly files: readonly string[];
	/** The changes of repositories: each reference with its commit's message, the status, and the list of stashes. */
	readonly git: readonly string[];
};

export type Tried = Ran & {
	readonly cards: readonly Ask[];
	readonly isDenied: boolean;
};

export type Everyday = {
	/**
	Lets the model run the command in the mode `ask`. The user takes all changes, and allows nothing else. `isAfter`: the
	project is what the last command left.
	*/
	readonly tried: (command: string, isAfter?: boolean) => Promise<Tried>;
	/** Runs the command with bash in the same folder, with the same files. */
	readonly real: (command: string) => Promise<Ran>;
};

/** Creates a small project with a history, a changed file, tests, and secrets. */
export async function everyday(): Promise<Everyday> {
	const project = await tempProject(files);
	const {dir} = project;
	const home = join(dir, '../home');
	mkdirSync(home);
	writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ann\n\temail = ann@example.com\n');
	const env = {
		HOME: home,
		PATH: process.env['PATH'],
		LC_ALL: 'C.UTF-8',
		XDG_CACHE_HOME: join(dir, '../cache'),
	};
	const shell = (script: string) => execFileSync('bash', ['-ec', script], {cwd: dir, env, encoding: 'utf8'});
	mkdirSync(join(dir, 'node_modules/.bin'), {recursive: true});
	for (const name of ['typescript', '@typescript'])
		cpSync(join('node_modules', name), join(dir, 'node_modules', name), {recursive: true});
	shell(history);
	shell('mkdir ../pristine; find . -mindepth 1 -maxdepth 1 -not -name node_modules -exec cp -a {} ../pristine/ \\;');
	const restore = () => {
		for (const name of readdirSync(dir))
			if (name !== 'node_modules') rmSync(join(dir, name), {recursive: true, force: true});
		shell('cp -a ../pristine/. .; touch -d 2026-01-02T03:04:05Z .; git update-index -q --refresh || true');
	};
	const told = await podOf(project, env);
	const gitOf = () => shell(gitState).split('\n');
	return {
		async tried(command, isAfter = false) {
			if (!isAfter) restore();
			const [before, git] = [entriesOf(dir), gitOf()];
			const tried = await told.run(command);
			return {...tried, files: changesFrom(before, entriesOf(dir)), git: diffOf(git, gitOf())};
		},
		async real(command) {
			restore();
			const [before, git] = [entriesOf(dir), gitOf()];
			const file = join(dir, '../output');
			const fd = openSync(file, 'w');
			const {status} = spawnSync(bashOf(env), ['-c', command], {
				cwd: dir,
				env: {...env, ...ofCommands},
				stdio: ['ignore', fd, fd],
			});
			closeSync(fd);
			return {
				output: readFileSync(file, 'utf8'),
				code: status ?? undefined,
				files: changesFrom(before, entriesOf(dir)),
				git: diffOf(git, gitOf()),
			};
		},
	};
}

/** The variables that each command of inkpod gets. */
const ofCommands = {
	...{TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0'},
	...{TMPDIR: '/tmp', GIT_OPTIONAL_LOCKS: '0'},
};

async function podOf(project: TempProject, env: Record<string, string | undefined>) {
	const answers: ReturnType<typeof says>[] = [];
	const model = familyModel({parent: answers, children: {}});
	const told = await testPod(project, {model, env, confine: {mode: 'auto'}});
	let cards: Ask[] = [];
	told.pod.subscribe(event => {
		for (const ask of event.type === 'status' ? event.status.asks : []) {
			if (cards.some(({id}) => id === ask.id)) continue;
			cards.push(ask);
			const choice =
				ask.title === 'Take these changes?' ? 'allow' : ask.choices.find(({refuses}) => refuses)!.choice;
			void told.pod.send({method: 'answer', askId: ask.id, choice});
		}
	});
	return {
		async run(command: string) {
			cards = [];
			answers.push(calls(['bash', {command}]), says('Done.'));
			await told.run('Go');
			await told.rest();
			const result = itemsOf(told.items(), 'tool_result').at(-1)!;
			const {command: facts, refused} = narrowDetails(result.details) as {
				command?: {exitCode?: number};
				refused?: unknown;
			};
			return {
				output: result.content,
				code: facts?.exitCode,
				cards,
				isDenied: refused !== undefined || facts === undefined,
			};
		},
	};
}

type Entry = {
	readonly type: 'file' | 'link' | 'folder';
	readonly mode: number;
	readonly time: number;
	readonly text: string;
};

/** Returns all entries of a project, without its repository and without caches. */
function entriesOf(top: string): ReadonlyMap<string, Entry> {
	const found = new Map<string, Entry>();
	const folders = [top];
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
		for (const name of readdirSync(folder)) {
			const path = join(folder, name);
			if (skipped.test(relative(top, path))) continue;
			const stats = lstatSync(path);
			const type = stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'file';
			const text = type === 'folder' ? '' : type === 'link' ? readlinkSync(path) : readFileSync(path, 'latin1');
			found.set(relative(top, path), {
				type,
				mode: stats.mode & 0o777,
				time: type === 'folder' ? 0 : stats.mtimeMs,
				text,
			});
			if (type === 'folder') folders.push(path);
		}
	return found;
}

const skipped = /^\.git$|(?:^|\/)(?:__pycache__|node_modules\/(?:\.cache|@?typescript)|\.pytest_cache)$|\.tsbuildinfo$/;

/** Returns the changes between two states in the form of a card: large new folders and deleted ones are one line. */
function changesFrom(before: ReadonlyMap<string, Entry>, after: ReadonlyMap<string, Entry>): readonly string[] {
	const lines: string[] = [];
	const isIn = (path: string, other: ReadonlyMap<string, Entry>) => dirname(path) === '.' || other.has(dirname(path));
	const newFolder = (path: string) => {
		const inside = [...after].filter(([name, {type}]) => name.startsWith(`${path}/`) && type !== 'folder');
		const isListed = inside.length > 0 && inside.length <= 8;
		return isListed ? inside.map(([name]) => `+ ${name}`) : [`+${inside.length} ${path}/`];
	};
	const below = (path: string, all: ReadonlyMap<string, Entry>) =>
		[...all].filter(([name, {type}]) => name.startsWith(`${path}/`) && type !== 'folder').length;
	for (const [path, entry] of after) {
		const old = before.get(path);
		if (old === undefined && isIn(path, before))
			lines.push(...(entry.type === 'folder' ? newFolder(path) : [`+ ${path}`]));
		else if (old !== undefined && JSON.stringify(old) !== JSON.stringify(entry))
			lines.push(entry.type === 'folder' ? `~0 ${path}/` : `~ ${path}`);
	}
	for (const [path, {type}] of before)
		if (!after.has(path) && isIn(path, after)) {
			const count = type === 'folder' ? below(path, before) : 1;
			lines.push(`-${count > 1 ? count : ''} ${path}`);
		}
	return lines.toSorted();
}

function diffOf(before: readonly string[], after: readonly string[]): readonly string[] {
	return [
		...before.filter(line => !after.includes(line)).map(line => `- ${line}`),
		...after.filter(line => !before.includes(line)).map(line => `+ ${line}`),
	];
}

const gitState = `
git for-each-ref --format='%(refname) %(subject) %(tree)'; git symbolic-ref HEAD; git status --porcelain
git ls-files -s; git stash list; git config --local --list`;

/** Commits with fixed dates, so that the same commits have the same names. */
const history = `
ln -s ../typescript/bin/tsc node_modules/.bin/tsc
chmod +x run.sh
python3 - <<EOF
import sqlite3
database = sqlite3.connect('data.db')
database.executescript('create table t (n); insert into t values (7)')
EOF
git init -q -b main
git add -f .gitignore package.json tsconfig.json Makefile src test tools run.sh README.md
export GIT_AUTHOR_DATE=2026-01-02T03:04:05Z GIT_COMMITTER_DATE=2026-01-02T03:04:05Z
git commit -qm 'Add a cart'
echo 'More.' >> README.md
git commit -qam 'Describe it'
git branch topic
git tag v1.0.0
git remote add origin https://example.com/cart.git
echo 'export const tax = 0.2;' >> src/cart.ts
echo 'a note' > notes.txt
find . -path ./.git -prune -o -exec touch -h -d 2026-01-02T03:04:05Z {} +
`;

const files = {
	'.gitignore': 'node_modules/\ndist/\n.env\napp\n__pycache__/\n',
	'.env': 'API_TOKEN=very-secret-value-here\n',
	'package.json': `${JSON.stringify(
		{
			name: 'cart',
			version: '1.0.0',
			type: 'module',
			scripts: {
				test: 'node --test "test/*.test.js"',
				build: 'tsc -p .',
				lint: 'node tools/lint.js',
				fail: 'node -e "console.error(\'bad\'); process.exit(3)"',
			},
		},
		null,
		'\t',
	)}\n`,
	'tsconfig.json': `${JSON.stringify({
		compilerOptions: {
			outDir: 'dist',
			rootDir: 'src',
			strict: true,
			target: 'es2022',
			module: 'nodenext',
			types: [],
		},
		include: ['src'],
	})}\n`,
	Makefile: 'app: src/app.c\n\tcc -o app src/app.c\n\ncheck:\n\t@echo checked\n\n.PHONY: check\n',
	'README.md': '# Cart\n\nA cart.\n',
	'src/cart.ts':
		'export function sum(prices: readonly number[]): number {\n\treturn prices.reduce((a, b) => a + b, 0);\n}\n',
	'src/app.c': '#include <stdio.h>\nint main(void) { puts("made"); return 0; }\n',
	'test/cart.test.js':
		"import test from 'node:test';\nimport assert from 'node:assert';\n\ntest('adds', () => assert.equal(1 + 2, 3));\n",
	'test/fixtures/server.key':
		'-----BEGIN PRIVATE KEY-----\nMIIBVgIBADANBgkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----\n',
	'tools/lint.js': "console.log('src/cart.ts: fine');\n",
	'tools/count.py': 'import sys\nimport words\n\nprint(words.count(open(sys.argv[1]).read()))\n',
	'tools/words.py': 'def count(text):\n    return len(text.split())\n',
	'tools/test_words.py':
		'import unittest\nimport words\n\n\nclass Words(unittest.TestCase):\n    def test_count(self):\n' +
		'        self.assertEqual(words.count("a b"), 2)\n',
	'run.sh': '#!/bin/sh\necho "run $1"\necho "warn" >&2\nexit 0\n',
};
