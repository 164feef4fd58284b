import {once} from 'node:events';
import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {basename, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {bwrapArguments, bwrapDescriptors, type Walls} from '../../../../src/pod/permissions/confine/bwrap-arguments.ts';
import {bashOf} from '../../../../src/pod/ground/env/child-env.ts';
import {createConfinement, closingShell} from '../../../../src/pod/permissions/confine/confinement.ts';
import {sandboxHint} from '../../../../src/pod/permissions/confine/sandbox-hint.ts';
import {probeConfinement, type Availability} from '../../../../src/pod/permissions/confine/probe.ts';
import {sandboxProfile} from '../../../../src/pod/permissions/confine/sandbox-profile.ts';
import {confineSettings, type ConfineSettings} from '../../../../src/pod/permissions/confine/settings.ts';
import {surroundings} from '../../../../src/pod/permissions/confine/surroundings.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const works: Availability = {ok: true, kind: 'bwrap', program: '/usr/bin/bwrap', hasUserNamespace: true};
const lacks: Availability = {ok: false, reason: 'no_program', detail: ''};

async function setting(settings: ConfineSettings, found: Availability = works) {
	const project = await tempProject({'home/.ssh/id': 's', 'p/.envrc': '', 'p/a.txt': ''});
	const [pwd, home] = [project.path('p'), project.path('home')];
	const env = {
		HOME: home,
		PATH: '/bin',
		SSH_AUTH_SOCK: '/x',
		KEEP: 'y',
		OTHER: 'z',
		INKPOD_HOME: join(home, 'state'),
	};
	await mkdir(join(home, 'state'));
	await mkdir(join(pwd, '.git/hooks'), {recursive: true});
	await writeFile(join(pwd, '.git/config'), '[core]\n\thooksPath = tools/hooks\n');
	await mkdir(join(pwd, 'tools/hooks'), {recursive: true});
	await symlink('/etc', join(pwd, 'link'));
	let probes = 0;
	const confinement = createConfinement({
		settings,
		scope: {pwd, writable: true, readRoots: []},
		env,
		async probe() {
			probes++;
			return found;
		},
	});
	const launch = async (network: 'open' | 'none' = 'none') => {
		const launched = await confinement.launch('/bin/bash', 'ls', env, network);
		if (!launched.ok) throw new Error(launched.sentence);
		return launched.launch;
	};
	return {pwd, home, confinement, launch, probes: () => probes};
}

/** Tells whether an option with these values is among the arguments. */
function has(args: readonly string[], ...words: readonly string[]): boolean {
	return args.some((_, at) => words.every((word, index) => args[at + index] === word));
}

describe('the confinement of commands', () => {
	it('writes the project, protects what other programs run, and shows nothing else of the home folder', async () => {
		const {pwd, home, launch} = await setting({mode: 'auto', env: ['KEEP']});
		const {file, args: all, env, confined} = await launch();
		// Root has a namespace around it.
		const args = all.slice(all.lastIndexOf('/usr/bin/bwrap') + 1);
		expect([file, confined]).toEqual(['/usr/bin/bwrap', 'none']);
		expect(has(args, '--ro-bind-try', '/usr', '/usr')).toBe(true);
		expect(args.filter(word => [home, '/'].includes(word))).toEqual([home, '/']);
		expect(has(args, '--tmpfs', home)).toBe(true);
		expect(has(args, '--bind', pwd, pwd)).toBe(true);
		const guarded = ['.envrc', '.git', 'tools/hooks'];
		expect(guarded.filter(name => !has(args, '--ro-bind', join(pwd, name), join(pwd, name)))).toEqual([]);
		expect(has(args, '--bind', join(pwd, 'tools'), join(pwd, 'tools'))).toBe(true);
		expect(args.filter(word => ['.ssh', 'state'].includes(basename(word)))).toEqual([]);
		expect(has(args, '--tmpfs', '/tmp')).toBe(true);
		expect(has(args, '--unshare-net')).toBe(true);
		expect(env).toMatchObject({KEEP: 'y', HOME: home, TMPDIR: '/tmp'});
		expect(Object.keys(env).filter(name => ['SSH_AUTH_SOCK', 'OTHER', 'INKPOD_HOME'].includes(name))).toEqual([]);
		expect(has((await launch('open')).args, '--unshare-net')).toBe(false);
	});

	it('is probed once, however often it is asked', async () => {
		const {confinement, launch, probes} = await setting({mode: 'auto'});
		await launch();
		await launch();
		await confinement.missing();
		expect(probes()).toBe(1);
	});

	it('lets commands run as they are when it does not work, and says why', async () => {
		const {confinement, launch} = await setting({mode: 'auto'}, lacks);
		expect(await launch()).toMatchObject({file: '/bin/bash', args: ['-c', 'ls']});
		expect(await confinement.missing()).toBe('bubblewrap (bwrap) is not installed.');
		expect(await confinement.describe('open')).toBe('Not confined: bubblewrap (bwrap) is not installed.');
	});

	it('lets no command run when it is required and does not work', async () => {
		const {confinement} = await setting({mode: 'require'}, lacks);
		expect(await confinement.launch('/bin/sh', 'ls', {}, 'open')).toMatchObject({ok: false});
	});

	it('gives commands that were approved one by one the network, and no others, unless you say otherwise', async () => {
		const {confinement} = await setting({mode: 'auto'});
		expect([true, false].map(isAsked => confinement.networkFor(isAsked))).toEqual(['open', 'none']);
		const closed = await setting({mode: 'auto', network: 'none'});
		expect(closed.confinement.networkFor(true)).toBe('none');
	});
});

const walls: Walls = {
	pwd: '/h/p "q"',
	isWritable: false,
	own: ['/tmp', '/h'],
	shown: [
		{path: '/h/tools/bin', source: '/elsewhere/bin'},
		{path: '/usr', source: '/usr'},
	],
	links: [{path: '/bin', target: 'usr/bin'}],
	files: [{path: '/h/.npmrc', bytes: Buffer.from('audit=false')}],
	writable: [],
	caches: [{path: '/h/.npm', own: '/own/npm', users: '/h/.npm'}],
	sources: new Map(),
	readOnly: [{path: '/h/p "q"/.envrc', isFolder: false}],
	held: [],
	hidden: [],
	covered: [
		{path: '/h/p "q"/app.sock', isFolder: false},
		{path: '/h/p "q"/state', isFolder: true},
	],
	network: 'none',
	filter: Buffer.from('filter'),
	user: undefined,
};

describe('the table of bubblewrap', () => {
	it('begins with an empty root, and does not write a read-only project', () => {
		const args = bwrapArguments(walls);
		expect(has(args, '--ro-bind', walls.pwd, walls.pwd)).toBe(true);
		expect(args.filter((_, at) => args[at - 1] === '--bind')).toEqual(['/own/npm']);
		expect(args).not.toContain('--unshare-user');
		expect(args.slice(-5)).toEqual(['--remount-ro', '/', '--chdir', walls.pwd, '--']);
	});

	it('mounts a folder before what is in it, and covers places last', () => {
		const args = bwrapArguments({...walls, isWritable: true});
		expect(has(args, '--ro-bind-try', '/elsewhere/bin', '/h/tools/bin')).toBe(true);
		expect(args.indexOf('/h/tools/bin')).toBeGreaterThan(args.indexOf('/h'));
		expect(has(args, '--ro-bind', '/dev/null', '/h/p "q"/app.sock')).toBe(true);
		expect(args.indexOf('/h/p "q"/state')).toBeGreaterThan(args.lastIndexOf(walls.pwd, args.indexOf('--dev')));
		expect(has(args, '--remount-ro', '/h/p "q"/state')).toBe(true);
	});

	it('names the descriptors of the filter and of generated files', () => {
		const args = bwrapArguments(walls);
		expect(has(args, '--seccomp', '4')).toBe(true);
		expect(has(args, '--file', '5', '/h/.npmrc')).toBe(true);
		expect(bwrapDescriptors(walls).map(({fd, ...one}) => [fd, String('bytes' in one && one.bytes)])).toEqual([
			[4, 'filter'],
			[5, 'audit=false'],
		]);
		expect(has(bwrapArguments({...walls, filter: undefined}), '--file', '4', '/h/.npmrc')).toBe(true);
	});

	it('mounts other sources in place of a folder and everything in it', () => {
		const sources = new Map([
			[walls.pwd, '/merged/p'],
			['/h/.npm', '/merged/npm'],
		]);
		const args = bwrapArguments({...walls, isWritable: true, sources, user: {uid: 7, gid: 8}});
		expect(has(args, '--bind', '/merged/p', walls.pwd)).toBe(true);
		expect(has(args, '--ro-bind', '/merged/p/.envrc', `${walls.pwd}/.envrc`)).toBe(true);
		expect(has(args, '--bind', '/merged/npm', '/h/.npm')).toBe(true);
		expect(has(args, '--uid', '7', '--gid', '8')).toBe(true);
	});
});

describe('the profile of sandbox-exec', () => {
	it('has the same walls, with quoted paths', () => {
		const profile = sandboxProfile({...walls, isWritable: true});
		const inside = String.raw`"/h/p \"q\"`;
		expect(profile).toContain(`(subpath ${inside}")`);
		expect(profile).toContain(`(deny file-write* (literal ${inside}/.envrc"))`);
		expect(profile).toContain(`(literal ${inside}/app.sock")`);
		expect(profile).toContain('(deny network*)');
		expect(sandboxProfile({...walls, network: 'open'})).not.toContain('(deny network*)');
	});
});

describe('the probe', () => {
	it('finds no program in a project, and says so elsewhere', async () => {
		const project = await tempProject({'bin/bwrap': '#!/bin/sh\nexit 0\n'});
		expect(await probeConfinement({PATH: project.path('bin')}, project.dir, {platform: 'linux'})).toMatchObject({
			reason: 'no_program',
		});
		expect(await probeConfinement({}, project.dir, {platform: 'darwin', isDefault: true})).toMatchObject({
			reason: 'untested',
		});
		expect(await probeConfinement({PATH: '/bin'}, project.dir, {platform: 'win32'})).toMatchObject({
			reason: 'unsupported',
		});
	});
});

describe('what a project needs from around it', () => {
	it('is the repository that it is in, and the git folders that lead back to it', async () => {
		const project = await tempProject({
			'top/.git/HEAD': '',
			'top/packages/a/x': '',
			'main/.git/HEAD': '',
			'main/.git/objects/x': '',
			'main/.git/refs/x': '',
			'main/.git/worktrees/w/HEAD': '',
			'main/.git/worktrees/w/commondir': '../..\n',
			'w/x': '',
			'thief/x': '',
		});
		await writeFile(project.path('main/.git/worktrees/w/gitdir'), `${project.path('w/.git')}\n`);
		for (const name of ['w', 'thief'])
			await writeFile(project.path(`${name}/.git`), `gitdir: ${project.path('main/.git/worktrees/w')}\n`);
		expect(await surroundings(project.path('top/packages/a'), '/nowhere')).toEqual([project.path('top')]);
		expect(await surroundings(project.path('top/packages/a'), project.path('top/packages'))).toEqual([]);
		expect(await surroundings(project.path('w'), '/nowhere')).toEqual([
			project.path('main/.git/worktrees/w'),
			project.path('main/.git'),
		]);
		expect(await surroundings(project.path('thief'), '/nowhere')).toEqual([]);
	});
});

describe('the settings of confinement', () => {
	const env = {};
	it.each([
		['the default', {user: undefined, project: undefined}, 'auto'],
		['a user who turned it off', {user: {mode: 'off'}, project: undefined}, 'off'],
		['a project that requires it', {user: {mode: 'off'}, project: {mode: 'require'}}, 'require'],
		['a project that wants less', {user: {mode: 'require'}, project: {mode: 'auto'}}, 'require'],
	] as const)('follow %s', (_name, sources, mode) => {
		expect(confineSettings({env, isOff: false, ...sources}).mode).toBe(mode);
	});

	it('are off by the command line and by the environment, whatever the project says', () => {
		const project = {mode: 'require'} as const;
		expect(confineSettings({env, isOff: true, user: {}, project}).mode).toBe('off');
		expect(confineSettings({env: {INKPOD_CONFINE: 'off'}, isOff: false, user: {}, project}).mode).toBe('off');
	});

	it('let a project close the network, but not open it', () => {
		const closed = confineSettings({env, isOff: false, user: {network: 'open'}, project: {network: 'none'}});
		expect(closed.network).toBe('none');
	});
});

describe('the likely cause of a failure', () => {
	it.each([
		'bash: line 1: x: Read-only file system',
		'Error: EACCES: permission denied, open',
		'curl: (6) Could not resolve host: example.com',
		"fatal: hardlink different from source at 'copy/.git/objects/4b/825dc6'",
		'connect ENETUNREACH 1.1.1.1:443',
		'getaddrinfo EAI_AGAIN registry.npmjs.org',
	])('is the line %s', line => {
		expect(sandboxHint(`first\n${line}\nlast`, 'none')).toBe(line);
	});

	it('is unknown for other failures', () => {
		expect(sandboxHint('1 failed\nexpected 1 to be 2\n', 'none')).toBeUndefined();
		expect(sandboxHint('curl: (6) Could not resolve host: x.example', 'open')).toBeUndefined();
	});
});

describe.runIf(process.platform === 'linux')('a socket in the project on which a program listens', () => {
	it('is hidden after the project is mounted', async () => {
		const {pwd, launch} = await setting({mode: 'auto'});
		const server = createServer().listen(join(pwd, 'app.sock'));
		onTestFinished(() => void server.close());
		await once(server, 'listening');
		const {args} = await launch();
		const hidden = args.findIndex((word, at) => word === join(pwd, 'app.sock') && args[at - 1] === '/dev/null');
		expect(hidden).toBeGreaterThan(args.indexOf(pwd));
	});
});

describe('the shell of a confined command', () => {
	it('closes inherited descriptors first', () => {
		expect(closingShell('/bin/bash', 'ls', [9, 27], ['first'])).toEqual([
			'/bin/bash',
			'-c',
			'exec 9>&- 27>&-; exec "$@"',
			...['/bin/bash', 'first', '/bin/bash', '-c', 'ls'],
		]);
		expect(closingShell('/bin/sh', 'ls', [9]).slice(-5)).toEqual([
			...['exec 9>&-; exec "$@"', bashOf({}), '/bin/sh', '-c', 'ls'],
		]);
		expect(closingShell('/bin/bash', 'ls', [])).toEqual(['/bin/bash', '-c', 'ls']);
	});
});
