import {existsSync, readFileSync, utimesSync} from 'node:fs';
import {createServer} from 'node:http';
import {describe, expect, it, onTestFinished} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {systemClock} from '../../src/worker/index.ts';
import {secret, tried, type Answering, type TryingOptions} from './tried.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

const allow: Answering = () => 'allow';

describe.skipIf(!available.ok)('a command that is tried', () => {
	it.each([
		'cat a.txt',
		'git status --short && git log --oneline',
		'ls -la | head -20',
		'node -e "console.log(1 + 1)"',
	])('needs no card if it has no effect: %s', async command => {
		const {cards, details} = await tried(command);
		expect(cards).toEqual([]);
		expect(details.command).toMatchObject({exitCode: 0, effects: {added: 0, changed: 0, deleted: 0}});
	});

	it('needs no card to look at a repository with a tracked secret, wherever in it the project is', async () => {
		const track = (git: (...args: readonly string[]) => string) => {
			git('add', '-f', '.env', 'd');
			git('commit', '-qm', 'all');
		};
		// git reads a file again if it is as new as the index.
		const age = (path: string) => utimesSync(path, 1_700_000_000, 1_700_000_000);
		const below = await tried('git status --short; git diff; echo x > c', {
			...{pwd: 'd', answer: allow},
			prepare(project, git) {
				track(git);
				age(project.path('.env'));
				git('update-index', '--refresh');
			},
		});
		expect([below.titles, below.content]).toEqual([['Take these changes?'], '[no output]']);
		const linked: TryingOptions = {
			pwd: '../wt',
			prepare(project, git) {
				track(git);
				git('worktree', 'add', '-q', '../wt');
				age(project.path('../wt/.env'));
				git('-C', '../wt', 'update-index', '--refresh');
			},
		};
		const looked = await tried('git status --short; git diff; git log --oneline | wc -l', linked);
		expect([looked.titles, looked.content]).toEqual([[], '2']);
		const inside = await tried('git status --short; git diff', {...linked, pwd: '../wt/d'});
		expect([inside.titles, inside.content]).toEqual([[], '[no output]']);
	});

	it('shows all of its changes on one card, and takes exactly these', async () => {
		const command = 'echo two >> a.txt; mkdir -p new/deep; echo n > new/deep/n.txt; echo m > new/m.txt; rm -r d';
		const {cards, project, details} = await tried(command, {answer: allow});
		expect(cards.map(({title}) => title)).toEqual(['Take these changes?']);
		expect(cards[0]!.detail).toMatch(/exit 0 after/);
		expect(cards[0]!.detail.split('\n')).toEqual(
			expect.arrayContaining([
				'~ a.txt',
				'+ new/m.txt',
				'+ new/deep/n.txt',
				'- d',
				'a.txt:',
				' one',
				'+two',
				'+m',
			]),
		);
		expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('one\ntwo\n');
		expect(readFileSync(project.path('new/deep/n.txt'), 'utf8')).toBe('n\n');
		expect(existsSync(project.path('d'))).toBe(false);
		expect(details.command?.effects).toEqual({added: 2, changed: 1, deleted: 1});
	});

	it('does not count the time that its card is open', async () => {
		const hour = 3_600_000;
		let waited = 0;
		const clock = {...systemClock(), ticks: () => performance.now() + waited};
		const answer: Answering = () => {
			waited += hour;
			return 'allow';
		};
		const {titles, results} = await tried('echo two >> a.txt', {clock, answer});
		expect(titles).toEqual(['Take these changes?']);
		expect(results[0]!.ms).toBeLessThan(hour);
	});

	it('shows a new folder with many files as one line, and what other programs run in it by name', async () => {
		const command =
			'mkdir -p out/.vscode; for n in $(seq 20); do echo $n > out/$n; done; echo {} > out/.vscode/tasks.json';
		const {cards} = await tried(command);
		expect(cards[0]!.detail.split('\n')).toEqual(
			expect.arrayContaining(['+20 out/', '+ out/.vscode/tasks.json (other programs run this file)']),
		);
	});

	it('changes nothing if the user discards the changes, and the model learns it', async () => {
		const {project, content, details} = await tried('echo out; echo two >> a.txt');
		expect(content).toBe('out\n[The user discarded the changes.]');
		expect(details.command).toMatchObject({discarded: true});
		expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('one\n');
	});

	it('names references and files of git', async () => {
		const command = 'git add d/c.txt && git -c user.name=n -c user.email=a@b commit -qm two';
		const {cards, git} = await tried(command, {answer: allow});
		expect(cards[0]!.detail).toMatch(/git: refs\/heads\/main [\da-f]{9} → [\da-f]{9}\n/);
		expect(cards[0]!.detail).toContain('\ngit: ~ .git/index\n');
		expect(git('log', '--format=%s')).toBe('two\none\n');
	});

	it('takes what other programs run only from a card that names it', async () => {
		const {cards, project} = await tried('mkdir -p .vscode; echo {} > .vscode/tasks.json', {answer: allow});
		expect(cards.map(({title}) => title)).toEqual(['Take these changes?']);
		expect(cards[0]!.detail).toContain('.vscode/tasks.json (other programs run this file)');
		expect(existsSync(project.path('.vscode/tasks.json'))).toBe(true);
	});

	it('asks before it may use the network, and only then runs with it', async () => {
		const seen: string[] = [];
		const server = createServer((request, response) => {
			seen.push(String(request.url));
			response.end('hello');
		});
		await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
		onTestFinished(() => void server.close());
		const {port} = server.address() as {port: number};
		const code = `fetch("http://127.0.0.1:${port}/x").then(r => r.text()).then(console.log, e => console.log("none"))`;
		const refused = await tried(`node -e '${code}'`);
		expect(refused.cards.map(({title}) => title)).toEqual(['Run this command? It needs the network.']);
		expect(refused.content).toContain('discarded the result');
		expect(seen).toEqual([]);
		const allowed = await tried(`node -e '${code}'`, {answer: allow});
		expect(allowed.content).toBe('hello');
		expect(seen).toEqual(['/x']);
	});

	it('finds no secret, and asks when it touches one that it does not name', async () => {
		const {cards, content} = await tried('cat .e*');
		expect(cards.map(({title}) => title)).toEqual([
			'Run this command? It reads files that look like secrets: ".env"',
		]);
		expect(content).not.toContain(secret);
		const listed = await tried('ls -la --time-style=full-iso .env; stat -c "%s %a %Y" .env', {answer: allow});
		expect(listed.cards.length).toBe(1);
		const all = await tried('ls -la');
		expect(all.cards).toEqual([]);
		expect(all.content).toMatch(/ 16 .* \.env/);
		const allowed = await tried('cat .e*', {answer: allow});
		expect(allowed.content).toBe(`KEY=${secret}`);
	});

	it('takes changes of ordinary files without a card in accept-edits', async () => {
		const approval = {mode: 'accept-edits', rules: {user: [], project: []}} as const;
		const {cards, project} = await tried('echo two >> a.txt', {approval});
		expect(cards).toEqual([]);
		expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('one\ntwo\n');
	});
});
