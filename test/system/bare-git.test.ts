import {execFile, execFileSync} from 'node:child_process';
import {
	existsSync,
	linkSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, describe, expect, it} from 'vitest';
import {createConfinement} from '../../src/pod/permissions/confine/confinement.ts';
import type {RunLater} from '../../src/pod/permissions/confine/folder-list.ts';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {openScratch} from '../../src/pod/tools/processes/output-file.ts';
import {startCommand} from '../../src/pod/tools/processes/start-command.ts';
import {createdNotes, watchCreated} from '../../src/pod/tools/commands/created-notes.ts';
import {nested, scriptOf, waysToGit, type WayToGit} from './bare-git.ts';

const isWhole = ['system', 'long'].includes(process.env['INKPOD_TEST'] ?? '');
const probed = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});
/** `npm test` tries a part of the table without walls. */
const shown = isWhole ? waysToGit : waysToGit.filter((_, index) => index % 10 === 0);
type Kind = 'foreground' | 'background';
const kinds: readonly Kind[] = isWhole ? ['foreground', 'background'] : ['background'];
const run = promisify(execFile);

describe.runIf(probed.ok)('git outside, while a command without a cell runs', () => {
	const place = stage();
	afterAll(() => place.close());

	it('is tried with at least 40 names and conditions', () => {
		expect(waysToGit.length).toBeGreaterThanOrEqual(40);
	});

	it.each(kinds)('obeys nothing that it wrote, in the %s', {timeout: 300_000}, async kind => {
		expect(await place.tried(kind)).toEqual({during: [], after: []});
	});

	it.each(shown)('would obey it without these walls, so the table can fail: $name', async way => {
		expect(await place.unconfined(way)).toBe(!needsMore.has(way.name));
	});

	it('reads the repository, and does not let the command write it', async () => {
		expect(
			await place.output(
				'git status --short && git log --format=%s && git -c user.name=n -c user.email=e commit -qm x --allow-empty',
			),
		).toMatch(/^first\n[^]*Read-only file system/);
	});
});

/** These do no harm without walls, either. */
const needsMore: ReadonlySet<string> = new Set();

function stage() {
	const root = mkdtempSync(join(process.getuid?.() === 0 ? '/srv' : homedir(), 'inkpod-git-'));
	const [pwd, kept, canaries] = [join(root, 'p'), join(root, 'kept'), join(root, 'canaries')];
	const env = {
		PATH: process.env['PATH'] ?? '',
		HOME: join(root, 'home'),
		INKPOD_HOME: join(root, 'state'),
		GIT_AUTHOR_NAME: 'n',
		GIT_AUTHOR_EMAIL: 'e@x',
		GIT_COMMITTER_NAME: 'n',
		GIT_COMMITTER_EMAIL: 'e@x',
	};
	createProject(pwd, env);
	execFileSync('cp', ['-a', pwd, kept]);
	const confinement = createConfinement({
		settings: {mode: 'require'},
		scope: {pwd, writable: true, readRoots: []},
		env,
		probe: async () => probed,
	});
	const confine = {
		createdSince: async (present: RunLater) => confinement.createdSince(present),
		onCreated: () => {},
	};
	/** Runs what a user, a prompt and an editor run. Returns the ways that were obeyed. */
	const gitRuns = async (trees: ReadonlySet<string>): Promise<readonly string[]> => {
		for (const tree of trees) {
			const git = async (...args: string[]) =>
				run('git', ['-C', join(pwd, tree), ...args], {env, timeout: 20_000}).catch(() => {});
			await git('status');
			await git('diff');
			await git('log', '-1');
			await git('checkout', '-q');
			await git('update-ref', 'refs/heads/other', 'HEAD');
			await git('commit', '-qm', 'y', '--allow-empty');
		}
		return readdirSync(canaries).map(name => waysToGit[Number(name)]?.name ?? name);
	};
	const fresh = () => {
		for (const path of [pwd, canaries]) rmSync(path, {recursive: true, force: true});
		execFileSync('cp', ['-a', kept, pwd]);
		mkdirSync(canaries);
	};
	const scriptFor = (way: WayToGit) => {
		const index = waysToGit.indexOf(way);
		return scriptOf(way.command, join(canaries, `${index}`), `own/${index}`);
	};
	const started = async (command: string) => {
		const opened = await openScratch();
		if (!opened.ok) throw new Error(opened.sentence);
		let present: RunLater | undefined;
		const begun = await startCommand(command, {
			shell: '/bin/bash',
			async launch(shell, command, env) {
				const launched = await confinement.launch(shell, command, env, 'none');
				if (launched.ok) ({present} = launched.launch);
				return launched;
			},
			cwd: pwd,
			env,
			output: opened.output,
			signal: AbortSignal.timeout(300_000),
		});
		if (!begun.ok) throw new Error(begun.sentence);
		return {ended: begun.ended, output: opened.output, present};
	};
	return {
		async output(command: string) {
			fresh();
			const {ended, output} = await started(command);
			await ended;
			const text = (await output.read(0, 65_536)).toString();
			await output.close();
			return text;
		},
		/** All ways in one command, while git runs outside. */
		async tried(kind: Kind) {
			fresh();
			writeFileSync(join(pwd, 'all.sh'), waysToGit.map(scriptFor).join(''));
			const {ended, output, present} = await started(
				'. ./all.sh; touch tried; until [ -e over ]; do sleep 0.05; done',
			);
			const watch = kind === 'background' ? watchCreated(present!, confine, pwd, 100) : undefined;
			let isOver = false;
			const over = ended.finally(() => (isOver = true));
			await expect
				.poll(() => isOver || existsSync(join(pwd, 'tried')), {interval: 20, timeout: 250_000})
				.toBe(true);
			expect(isOver).toBe(false);
			expect(readdirSync(join(pwd, 'own'))).toHaveLength(waysToGit.length);
			const trees = new Set(waysToGit.map(({tree = '.'}) => tree));
			const during = await gitRuns(trees);
			writeFileSync(join(pwd, 'over'), '');
			await over;
			await watch?.stop();
			if (kind === 'foreground') await createdNotes(present, confine, pwd);
			await output.close();
			return {during, after: await gitRuns(trees)};
		},
		async unconfined(way: WayToGit) {
			fresh();
			await run('bash', ['-c', scriptFor(way)], {cwd: pwd, env}).catch(() => {});
			return (await gitRuns(new Set([way.tree ?? '.']))).length > 0;
		},
		close: () => rmSync(root, {recursive: true, force: true}),
	};
}

/** Creates a project with repositories of all kinds. */
function createProject(pwd: string, env: NodeJS.ProcessEnv): void {
	const at = (name: string) => join(pwd, name);
	const git = (tree: string, ...args: string[]) =>
		execFileSync('git', ['-C', at(tree), ...args], {env, stdio: ['ignore', 'pipe', 'pipe']});
	const put = (name: string, text: string, mode = 0o644) => {
		mkdirSync(dirname(at(name)), {recursive: true});
		writeFileSync(at(name), text, {mode});
	};
	const init = (tree: string, ...settings: ReadonlyArray<readonly [string, string]>) => {
		put(`${tree}/a.txt`, 'a\n');
		git(tree, 'init', '-q', '--template=', '-b', 'main');
		git(tree, 'add', '-f', 'a.txt');
		git(tree, 'commit', '-qm', 'first');
		for (const [name, value] of settings) git(tree, 'config', '--add', name, value);
	};
	mkdirSync(join(pwd, '../home'), {recursive: true});
	put('.gitignore', '*\n');
	init('.', ['extensions.worktreeConfig', 'true']);
	for (let index = 0; index < 301; index++) mkdirSync(at(`many/f${index}`), {recursive: true});
	for (const tree of nested) init(tree);
	init('hp', ['core.hooksPath', 'tools/hooks']);
	put('hp/tools/hooks/x', '');
	init('hm', ['core.hooksPath', 'tools/hooks']);
	init('hl', ['core.hooksPath', 'tools/hooks']);
	put('hl/real/hooks/x', '');
	symlinkSync('real', at('hl/tools'));
	init(
		'inc',
		['include.path', '../shared/a.cfg'],
		['include.path', '../more/b.cfg'],
		[`includeIf.gitdir:${at('inc')}/.path`, '../more/c.cfg'],
	);
	put('inc/shared/a.cfg', '');
	init('prog', ['core.fsmonitor', 'tools/fs']);
	put('prog/tools/fs', '#!/bin/sh\n', 0o755);
	init('progm', ['core.fsmonitor', 'tools/fs']);
	git('.', 'worktree', 'add', '-q', at('wt'));
	for (const name of ['sub', 'un'])
		git('.', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '-f', at('vendor/lib'), name);
	git('.', 'commit', '-qm', 'first');
	git('.', 'submodule', '--quiet', 'deinit', '-f', 'un');
	mkdirSync(at('a'));
	git('.', 'clone', '-q', '--template=', '--bare', at('vendor/lib'), at('a/bare.git'));
	git('.', 'clone', '-q', at('vendor/lib'), at('ln'));
	execFileSync('mv', [at('ln/.git'), at('real.git')]);
	symlinkSync('../real.git', at('ln/.git'));
	init('hard');
	linkSync(at('hard/.git/config'), at('hard/cfg'));
	put('hard/check.sh', '#!/bin/sh\n', 0o755);
	mkdirSync(at('hard/.git/hooks'));
	linkSync(at('hard/check.sh'), at('hard/.git/hooks/reference-transaction'));
	init('lh');
	put('lh/tools/check.sh', '#!/bin/sh\n', 0o755);
	mkdirSync(at('lh/.git/hooks'));
	symlinkSync('../../tools/check.sh', at('lh/.git/hooks/reference-transaction'));
	expect(readFileSync(at('.gitmodules'), 'utf8')).toContain('un');
}
