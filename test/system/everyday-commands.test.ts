import {afterAll, describe, expect, it} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {everyday, type Tried} from '../helpers/everyday.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

const timeout = 900_000;

/** Commands without effects. They need no card, and print what they print without inkpod. */
const looking = [
	'ls',
	'ls -la',
	'ls -la --time-style=full-iso src test/fixtures',
	'cat package.json',
	'head -n 2 src/cart.ts && tail -n 1 src/cart.ts',
	'wc -l src/*.ts README.md',
	'find . -name "*.ts" -not -path "./node_modules/*"',
	'find . -newer package.json -not -path "./.git*" -not -path "./node_modules/*"',
	'du -sh test src',
	'du -a --exclude=node_modules --exclude=.git .',
	'stat -c "%n %s %a %U %b %Y" * test/fixtures/*',
	'file src/cart.ts run.sh',
	'git status',
	'git status --short --ignored',
	'git log --oneline -5',
	'git log -p -2',
	'git diff',
	'git diff --stat HEAD~1',
	'git show --stat HEAD',
	'git stash list; git branch -a; git tag',
	'git ls-files | wc -l',
	'git blame README.md',
	'git grep -n sum -- src',
	'grep -rn "sum" src test/*.js',
	'cd src && pwd && ls',
	'node -e "console.log(process.version, 1 + 1)"',
	'python3 -c "print(6 * 7)"',
	'cat <<EOF | sort\nb\na\nEOF',
	'set -e; test -f package.json; echo ok; ls missing 2>&1 || echo none',
	'echo out; echo err >&2; echo out2; exit 3',
	'jq -r .scripts.test package.json',
	'echo x | tee /dev/null; date +%Y; whoami; id -u; hostname; uname -sm; nproc',
	'f=$(mktemp) && echo hi > "$f" && cat "$f" && rm "$f"',
	`sort package.json > /tmp/sorted-${process.pid}; head -2 /tmp/sorted-${process.pid}`,
	'tar tf <(tar c src) && gzip -c README.md | gunzip | head -1',
	'npm pkg get name version',
	'env | grep -c PATH',
	"python3 -c \"import sqlite3; print(sqlite3.connect('data.db').execute('select n from t').fetchall())\"",
	'find . -maxdepth 1 -newer README.md',
];

/** These test and build nothing that stays. */
const testing = [
	'npm test 2>&1 | tail -8',
	'npm test',
	'node --test test/cart.test.js',
	'npm run lint && echo linted',
	'npm run fail',
	'time npm run -s lint',
	'npx tsc --noEmit',
	'npx tsc --version',
	'python3 tools/count.py README.md',
	'python3 -m unittest discover -s tools 2>&1 | tail -3',
	'make -n',
	'make check',
	'./run.sh now',
	'bash -n run.sh && node --check test/cart.test.js',
];

/** Commands with effects. Their card lists what the tree has after a real run. */
const changing = [
	'npm run build',
	'make',
	'echo "a line" >> README.md',
	'sed -i s/cart/basket/ src/cart.ts package.json',
	'mv notes.txt docs.txt && mkdir -p a/b && cp README.md a/b/ && rm run.sh',
	'rm -r tools',
	'cat > new.sh <<EOF\n#!/bin/sh\nEOF\nchmod +x new.sh run.sh',
	'chmod -x run.sh',
	'ln -s README.md link.md',
	'touch README.md',
	'mkdir empty',
	'tar czf src.tgz src',
	'npm pkg set description="A cart"',
	'npm version patch --no-git-tag-version',
	"python3 -c \"open('made.txt', 'w').write('made')\"",
	'git add -A',
	'git add src && git commit -m "Add a tax"',
	'git checkout -b feature',
	'git switch topic',
	'git stash',
	'git tag v2',
	'git checkout src/cart.ts',
];

/** Commands that do not work on a layer without a network and without secrets. */
const reaching = [
	'curl -sS http://127.0.0.1:9/',
	'curl -sS -m 5 https://example.com',
	"node -e \"fetch('http://localhost:8123').catch(() => console.log('none'))\"",
	'npm install left-pad',
	'npm view left-pad version',
	'git fetch origin',
	'getent hosts example.com || echo unknown',
	'ps aux | head',
	'docker ps',
	'cat .env',
	'grep -r TOKEN . --exclude-dir=node_modules',
	'git diff --no-index README.md test/fixtures/server.key',
	'wc -l $(git ls-files)',
	'ssh -T -o ConnectTimeout=2 git@github.com',
	'tar czf /tmp/all.tgz --exclude=node_modules .',
];

/** The turn of approvals.answers.test.ts, which asks seven questions about it if nothing is tried. */
const turn = [
	'git status --short',
	'git log --oneline -5',
	'npm test',
	'npm test 2>&1 | tail -30',
	'npm test -- test/cart.test.js',
	"npm test -- --test-name-pattern 'adds'",
	'git diff',
	'git diff --stat',
	'git status',
	'npm run lint',
	'npm run lint -- --quiet',
	'npm run lint && npm test',
	'npm test -- test/cart.test.js 2>&1 | head -n 40',
	'git diff src/cart.ts | head -50',
	'npm run build',
	'npm run build && npm run lint && npm test 2>&1 | tail -5',
	'git status; git diff --stat',
	'git add -A && git commit -m "Fix the cart"',
	'git log -1 --stat',
	'git status',
];

const counts = new Map<string, number>();

afterAll(() => {
	console.log([...counts].map(([name, n]) => `${name}: ${n}`).join('\n'));
});

function counted(name: string, ran: Tried): Tried {
	for (const [what, n] of [
		['commands', 1],
		['cards', ran.cards.length],
	] as const)
		counts.set(`${name}: ${what}`, (counts.get(`${name}: ${what}`) ?? 0) + n);
	return ran;
}

/**
Returns an output without what differs between two runs (times and durations), and without what a layer cannot show: the
number of names of a folder, and the folder above the project.
*/
function plain(output: string): string {
	return output
		.replaceAll(/^total \d+\n(d.* \.\n)d.* \.\.$/gm, '<total>\n$1<above>')
		.replaceAll(/^(d\S+ +)\d+/gm, '$1<names>')
		.replaceAll(/\d+(?:\.\d+)?(?:ms|s)\b/g, '<time>')
		.replaceAll(/duration_ms:? [\d.]+/g, '<time>')
		.replaceAll(/\b\d\d:\d\d(?::\d\d(?:\.\d+)?)?\b/g, '<time>')
		.trimEnd();
}

/** Returns the result of a command without the sentences of inkpod about its end. */
function printed({output}: Tried): string {
	return plain(output.replace(/\n?\[exit[^\]]*\]$/, '').replace(/^\[no output\]$/, ''));
}

describe.skipIf(!available.ok)('an everyday command in the mode ask', () => {
	it('needs no card if it has no effect, and prints the same as without inkpod', {timeout}, async () => {
		const {tried, real} = await everyday();
		for (const command of [...looking, ...testing]) {
			const ran = counted('without effects', await tried(command));
			const wanted = await real(command);
			const none = {cards: [], code: wanted.code, files: [], git: []};
			expect.soft({command, ...ran, output: printed(ran)}).toMatchObject({...none, output: plain(wanted.output)});
			expect.soft({command, ...wanted}).toMatchObject({files: [], git: []});
		}
	});

	it('shows on one card exactly what it changes', {timeout}, async () => {
		const {tried, real} = await everyday();
		for (const command of changing) {
			const ran = counted('with effects', await tried(command));
			const wanted = await real(command);
			const titles = ran.cards.map(({title}) => title);
			const {code, files, git} = wanted;
			expect.soft({command, ...ran, titles}).toMatchObject({titles: ['Take these changes?'], code, files, git});
			const lines = ran.cards[0]?.detail?.split('\n\n')[1]?.split('\n') ?? [];
			// The line of a link also names its target, and other lines name unusual permissions.
			const plainLines = lines.map(line => line.replace(/ → ".*"$| \(permissions .*\)$/, ''));
			const listed = plainLines.filter(line => !line.startsWith('git: '));
			expect.soft({command, listed: listed.toSorted()}).toEqual({command, listed: files});
			if (listed.length === 0) expect.soft({command, lines}).not.toEqual({command, lines: []});
		}
	});

	it('needs no card to look at a repository after its changes were taken', {timeout}, async () => {
		const {tried} = await everyday();
		expect((await tried('git add src && git commit -qm two')).cards.length).toBe(1);
		expect(await tried('git status --short', true)).toMatchObject({cards: [], output: '?? data.db\n?? notes.txt'});
	});

	it('needs three cards in a turn of 20 calls, for what changes something', {timeout}, async () => {
		const {tried} = await everyday();
		const asked: string[] = [];
		for (const [n, command] of turn.entries())
			if (counted('a turn of 20 calls', await tried(command, n > 0)).cards.length > 0) asked.push(command);
		expect(asked).toEqual([
			'npm run build',
			'npm run build && npm run lint && npm test 2>&1 | tail -5',
			'git add -A && git commit -m "Fix the cart"',
		]);
	});

	it('asks to run if it needs the network, a secret or another process', {timeout}, async () => {
		const {tried} = await everyday();
		for (const command of reaching) {
			const ran = counted('reaching out', await tried(command));
			const titles = ran.cards.map(({title}) => title);
			const asked = [expect.stringMatching(/^Run this command\?/)];
			expect.soft({command, ...ran, titles}).toMatchObject({titles: asked, isDenied: true, files: [], git: []});
		}
	});
});
