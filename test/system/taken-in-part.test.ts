import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {tried, type Answering} from './tried.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

/** Takes only the lines of the list that contain one of these texts. */
const some =
	(...texts: readonly string[]): Answering =>
	({questions}) =>
		questions === undefined ? 'some' : texts;

describe.skipIf(!available.ok)('some changes of a command that is tried', () => {
	it('are taken, the others are discarded, and the model reads which', async () => {
		const command = 'echo two >> a.txt; mkdir -p new/deep; echo n > new/deep/n.txt; echo m > m.txt; rm -r d';
		const {project, content, cards, details} = await tried(command, {answer: some('a.txt', 'new/')});
		expect(cards[1]?.questions?.[0]?.options?.toSorted()).toEqual(['+ m.txt', '+1 new/', '- d', '~ a.txt']);
		expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('one\ntwo\n');
		expect(existsSync(project.path('new/deep/n.txt'))).toBe(true);
		expect([existsSync(project.path('m.txt')), existsSync(project.path('d/c.txt'))]).toEqual([false, true]);
		expect(content).toMatch(/The user took these changes: "~ a.txt", "\+1 new\/"\./);
		expect(content).toMatch(/The user discarded the others: "- d", "\+ m.txt"\./);
		expect(details.command?.effects).toEqual({added: 1, changed: 1, deleted: 0});
	});

	it('are all changes of git, or none of them', async () => {
		const command = 'echo n > n.txt; git add n.txt; git -c user.name=n -c user.email=a@b commit -qm two; git tag t';
		const files = await tried(command, {answer: some('n.txt')});
		expect(files.cards[1]?.questions?.[0]?.options).toEqual(['+ n.txt', 'git: all of it']);
		expect(files.git('log', '--format=%s')).toBe('one\n');
		expect(files.git('status', '--short')).toContain('?? n.txt\n');
		expect(files.git('tag')).toBe('');
		const git = await tried(command, {answer: some('git')});
		expect(git.git('log', '--format=%s')).toBe('two\none\n');
		expect(git.git('status', '--short')).toContain(' D n.txt\n');
		expect(git.git('tag')).toBe('t\n');
		expect(git.content).toContain('The user took these changes: "git: all of it".');
	});

	it('are a new repository with its files, or nothing of it', async () => {
		const command = 'git init -q sub; echo s > sub/s.txt; echo m > m.txt';
		const {project, cards} = await tried(command, {answer: some('m.txt')});
		expect(cards[1]?.questions?.[0]?.options).toEqual([
			'+ m.txt',
			expect.stringMatching(/^git: all of it, .* sub\/$/),
		]);
		expect([existsSync(project.path('m.txt')), existsSync(project.path('sub'))]).toEqual([true, false]);
		const whole = await tried(command, {answer: some('sub/')});
		expect(existsSync(whole.project.path('sub/s.txt'))).toBe(true);
		expect(whole.git('-C', 'sub', 'rev-parse', '--show-toplevel')).toMatch(/\/sub\n$/);
	});

	it('may be what other programs run, only if it is marked', async () => {
		const command = 'mkdir -p .vscode; echo {} > .vscode/tasks.json; echo m > m.txt';
		const other = await tried(command, {answer: some('m.txt')});
		expect(existsSync(other.project.path('.vscode'))).toBe(false);
		const marked = await tried(command, {answer: some('.vscode')});
		expect(marked.cards[1]?.questions?.[0]?.options?.join()).toContain('.vscode/ (other programs run this file)');
		expect(existsSync(marked.project.path('.vscode/tasks.json'))).toBe(true);
		expect(existsSync(marked.project.path('m.txt'))).toBe(false);
	});

	it('stay as they are if the file was changed outside meanwhile', async () => {
		const answer: Answering = (ask, project) => {
			if (ask.questions === undefined) return 'some';
			writeFileSync(project.path('a.txt'), 'of the user\n');
			return ['a.txt', 'm.txt'];
		};
		const {project, content} = await tried('echo two >> a.txt; echo m > m.txt; echo x > x.txt', {answer});
		expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('of the user\n');
		expect(content).toContain('Changed outside meanwhile, so these stay as they are: "a.txt"');
		expect([existsSync(project.path('m.txt')), existsSync(project.path('x.txt'))]).toEqual([true, false]);
	});

	it('are none if nothing is marked, and the first card appears again', async () => {
		let cards = 0;
		const answer: Answering = ({questions}) => {
			cards++;
			if (questions !== undefined) return [];
			return cards === 1 ? 'some' : 'deny';
		};
		const {titles, content} = await tried('echo two >> a.txt; echo m > m.txt', {answer});
		expect(titles).toEqual(['Take these changes?', 'Take which changes?', 'Take these changes?']);
		expect(content).toContain('The user discarded the changes.');
	});
});

describe.skipIf(!available.ok)('a command that is tried, without confinement', () => {
	const again: Answering = ({choices}) =>
		choices.some(({choice}) => choice === 'unconfined') ? 'unconfined' : 'deny';

	it('runs after a second card, and its first changes are discarded', async () => {
		const {titles, content, project, details} = await tried('echo two >> a.txt; echo $HOME', {answer: again});
		expect(titles).toEqual(['Take these changes?', 'Run this command without confinement?']);
		expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('one\ntwo\n');
		expect(content).toMatch(/^\[The user ran the command again without confinement/);
		expect(details.command).toMatchObject({unconfined: true});
	});

	it('is offered at once if none of its changes can be taken', async () => {
		const {titles, shown, git} = await tried('git config color.ui never', {answer: again});
		expect(titles).toEqual(['These changes cannot be taken. Run the command without confinement?']);
		expect(shown).toContain('! .git/config: stays as it is, because git would use it');
		expect(git('config', 'color.ui')).toBe('never\n');
		const denied = await tried('git config color.ui never');
		expect(denied.content).toContain('The user discarded the changes.');
		expect(denied.git('config', '--list', '--local')).not.toContain('color.ui');
	});

	it('is not offered if commands must be confined', async () => {
		const confine = {mode: 'require'} as const;
		const changed = await tried('echo two >> a.txt', {confine});
		expect(changed.cards[0]?.choices.map(({choice}) => choice)).toEqual(['allow', 'session', 'deny', 'always']);
		const nothing = await tried('git config color.ui never', {confine});
		expect(nothing.cards).toEqual([]);
		expect(nothing.content).toContain(
			'Not changed in the project, because git would use these files: ".git/config"',
		);
	});
});
