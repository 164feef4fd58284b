import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
	chmodSync,
	cpSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {createSocket} from 'node:dgram';
import {createServer, type AddressInfo, type Server} from 'node:net';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {execa} from 'execa';
import {afterAll, describe, expect, it} from 'vitest';
import {createConfinement} from '../../src/pod/permissions/confine/confinement.ts';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import type {Network} from '../../src/pod/permissions/confine/settings.ts';
import type {Env} from '../../src/pod/ground/env/env.ts';
import {openDescriptors} from '../../src/pod/platform/process-identity.ts';
import {logins, variables} from './planted.ts';
import {waysOut} from './ways-out.ts';

const secret = 'SECRET-c4n4ry';
const isRoot = process.getuid?.() === 0;
const probed = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere');

/** The ordinary user of a test that runs as root. */
const nobody = 65_534;
const isWhole = ['system', 'long'].includes(process.env['INKPOD_TEST'] ?? '');
/** `npm test` runs a quarter of the table. */
const users = isRoot && isWhole ? [0, nobody] : [process.getuid?.() ?? 0];
const networks = isWhole ? (['none', 'open'] as const) : (['none'] as const);

it('tries at least 250 ways out', () => {
	const places = waysOut.reduce((sum, {places = 1}) => sum + places, 0);
	expect(places + logins.length).toBeGreaterThanOrEqual(250);
	expect(new Set(logins).size).toBeGreaterThanOrEqual(117);
});

describe.runIf(probed.ok).each(users)('a confined command of user %i', async uid => {
	const outside = await stage(uid);
	afterAll(() => outside.close());

	describe.each(networks)('with the network %s', network => {
		it.each(waysOut)('does not $never: $name', async ({command, needsNetwork = false}) => {
			const {output, connections, changes, left} = await outside.run(command, network);
			expect(output).not.toContain(secret);
			expect(changes).toEqual([]);
			expect(left).toEqual([]);
			if (needsNetwork && network === 'open') return;
			expect(output).not.toContain('ESCAPED');
			expect(connections).toBe(0);
		});
	});

	it.each(['none', 'open'] as const)('reads no login of the home folder, with the network %s', async network => {
		const names = logins.map(name => `'${name}'`).join(' ');
		const command = `for f in ${names}; do cat "$HOME/$f" 2>/dev/null | grep -q ${secret} && echo "READ $f"; done; true`;
		const {output, changes} = await outside.run(command, network);
		expect(output).toBe('');
		expect(changes).toEqual([]);
	});

	it('would read them all if the home folder were shown', async () => {
		const command = logins.map(name => `cat "$HOME/${name}"`).join(';');
		const {output} = await outside.run(command, 'none', {show: [join(outside.root, 'home')]});
		expect(output.split(secret).length - 1).toBe(logins.length);
	});

	it('would open what the filter refuses if there were no filter', async () => {
		const refused = waysOut.filter(({name}) =>
			/^a pair of datagram|^the system call (?:keyctl|io_uring_setup)/.test(name),
		);
		for (const {command} of refused)
			expect((await outside.run(command, 'none', {isFiltered: false})).output).toContain('ESCAPED');
		expect(refused.length).toBeGreaterThanOrEqual(2);
	});

	it('works: it writes the project and its /tmp, and reads the repository and the system', async () => {
		const command =
			'echo x > new && test -s new && echo y > /tmp/t && git status --short new && ' +
			'cat /etc/passwd >/dev/null && "$NODE" -p 1+1 && rm new && echo WORKS';
		expect((await outside.run(command, 'none')).output).toContain('WORKS');
	});
});

/** A wall that a test takes away, to see that the others depend on it. */
type Opened = {readonly show?: readonly string[]; readonly isFiltered?: boolean};

/** Creates a project, and around it everything that a command must not reach. */
async function stage(uid: number) {
	const root = mkdtempSync(join(isRoot ? '/srv' : homedir(), 'inkpod-confine-'));
	const realTmp = mkdtempSync('/tmp/inkpod-confine-');
	chmodSync(root, 0o755);
	chmodSync(realTmp, 0o777);
	const at = (...names: string[]) => join(root, ...names);
	const [home, state, out, pwd] = [at('home'), at('state'), at('out'), at('project')];
	const planted = [...hiddenFiles, ...logins.map(name => `home/${name}`)];
	for (const path of planted) put(at(path), `${secret}\n`);
	for (const path of outerFiles) put(at(path), 'as it was\n');
	put(join(realTmp, 'canary'), 'as it was\n');
	for (const path of projectFiles) put(join(pwd, path), 'as it was\n');
	for (const folder of [pwd, join(pwd, 'sub')]) {
		spawnSync('git', ['init', '-q', folder]);
		put(join(folder, '.git/hooks/pre-commit'), 'as it was\n');
	}
	symlinkSync(state, join(pwd, 'state-link'));
	symlinkSync(out, join(pwd, 'out-link'));
	mkdirSync(join(state, 'sockets'));
	own(root, uid);
	own(realTmp, uid);
	if (isRoot) foreignSocket(pwd, uid);
	const tools = at('tools/bin');
	const node = join(tools, 'node');
	mkdirSync(tools, {recursive: true});
	cpSync(process.execPath, node);
	let connections = 0;
	const count = () => void connections++;
	const paths = [join(state, 'sockets/s.sock'), join(home, 'agent.sock'), join(out, 'daemon.sock')];
	const mark = root.slice(-6);
	const relative = await relativeSocket(join(pwd, 'sub'), uid);
	const datagram = boundDatagram(pwd, uid);
	const servers = await Promise.all([
		...[...paths, join(pwd, 'listening.sock'), join(realTmp, 'tmp.sock'), `\0inkpod-canary-${mark}`].map(
			async path => listening({path}, count),
		),
		listening({port: 0, host: '0.0.0.0'}, count),
	]);
	for (const path of [...paths, join(pwd, 'listening.sock'), join(realTmp, 'tmp.sock')]) chmodSync(path, 0o777);
	const {port = 0} = (servers.at(-1)?.address() ?? {}) as Partial<AddressInfo>;
	const udp = createSocket('udp4').on('message', count);
	await new Promise<void>(resolve => udp.bind(0, '127.0.0.1', resolve));
	const witness = spawn('sh', ['-c', 'while :; do sleep 60; done', 'CANARYPROC'], {
		env: {PATH: process.env['PATH'], OTHER: secret},
		...(isRoot && {uid}),
	});
	const env: Env = {
		...{PATH: `${tools}:${process.env['PATH']}`, HOME: home, INKPOD_HOME: state, LANG: 'C.UTF-8'},
		...{XDG_CACHE_HOME: at('cache')},
		...Object.fromEntries(variables.map(name => [name, secret])),
		...{SSH_AUTH_SOCK: join(home, 'agent.sock'), TMUX: `${realTmp}/tmux,1,0`, DISPLAY: ':0', WAYLAND_DISPLAY: 'w'},
		...{DBUS_SESSION_BUS_ADDRESS: `unix:path=${out}/daemon.sock`},
		...{HTTPS_PROXY: `http://user:${secret}@127.0.0.1:9`, PIP_INDEX_URL: `https://u:${secret}@127.0.0.1/simple`},
	};
	const helping = {HOME: home, STATE: state, OUT: out, REALTMP: realTmp, NODE: node, MARK: mark, PORT: String(port)};
	const more = {OTHERHOME: at('other'), TOOLS: tools, UDP: String(udp.address().port), OUTPID: String(witness.pid)};
	const confinementWith = (show: readonly string[]) =>
		createConfinement({
			settings: {mode: 'require', show},
			env,
			scope: {pwd, writable: true, readRoots: []},
			probe: async () => probed,
		});
	const watched = () => [home, state, out, realTmp].flatMap(each => prints(each)).concat(fixedPrints(pwd));
	return {
		root,
		async run(command: string, network: Network, {show = [], isFiltered = true}: Opened = {}) {
			connections = 0;
			const before = watched();
			const start = await as(uid, async () => confinementWith(show).launch('/bin/bash', command, env, network));
			if (!start.ok) throw new Error(start.sentence);
			const {file, args: all, env: own, descriptors = []} = start.launch;
			const at = all.indexOf('--seccomp');
			const args = isFiltered ? all : all.toSpliced(at, 2);
			using opened = openDescriptors(descriptors);
			const {all: printed} = await execa(file, args, {
				cwd: pwd,
				env: {...own, ...helping, ...more},
				extendEnv: false,
				stdio: ['ignore', 'pipe', 'pipe', 'ignore', ...opened.fds.map(fd => fd as 3)],
				all: true,
				reject: false,
				...(isRoot && uid !== 0 && {uid, gid: uid}),
			});
			const result = printed;
			expect(witness.exitCode ?? witness.signalCode).toBeNull();
			const left = await gone(() => processesWith('98765'));
			return {output: result, connections, changes: watched().filter(each => !before.includes(each)), left};
		},
		close() {
			for (const child of [witness, relative, datagram]) child.kill('SIGKILL');
			udp.close();
			for (const server of servers) server.close();
			rmSync(root, {recursive: true, force: true});
			rmSync(realTmp, {recursive: true, force: true});
		},
	};
}

const hiddenFiles = [
	...['state/credentials', 'state/sessions/history.json', 'home/.config/inkpod/config.toml', 'home/.ssh/id_ed25519'],
	...['home/.gnupg/private.key', 'home/.aws/credentials', 'home/.kube/config', 'home/.docker/config.json'],
	...['home/.netrc', 'home/.git-credentials', 'home/.bash_history', 'out/secret', 'other/secret'],
	'home/.npm/_cacache/login',
];
const outerFiles = ['out/file', 'home/readme'];
const projectFiles = ['.envrc', '.vscode/tasks.json', 'inkpod.toml', '.husky/pre-commit', 'own', 'src/a.ts'];
const fixedFiles = [
	...['.envrc', '.vscode/tasks.json', 'inkpod.toml', '.husky/pre-commit', '.git/config', '.git/hooks/pre-commit'],
	...['sub/.git/config', 'sub/.git/hooks/pre-commit', '.git/hooks/post-checkout'],
];

function put(path: string, text: string): void {
	mkdirSync(join(path, '..'), {recursive: true});
	writeFileSync(path, text);
}

function own(path: string, uid: number): void {
	if (isRoot) spawnSync('chown', ['-hR', `${uid}:${uid}`, path]);
}

/** Does something with the rights of a user. */
async function as<Result>(uid: number, act: () => Promise<Result>): Promise<Result> {
	if (!isRoot || uid === 0) return act();
	process.setegid?.(uid);
	process.seteuid?.(uid);
	try {
		return await act();
	} finally {
		process.seteuid?.(0);
		process.setegid?.(0);
	}
}

/** Another user's socket in a folder that only that user can enter. */
function foreignSocket(pwd: string, uid: number): void {
	const folder = join(pwd, 'foreign');
	mkdirSync(folder);
	const other = uid === 0 ? nobody : 0;
	const script =
		'socket(my $s, AF_UNIX, SOCK_STREAM, 0); bind($s, sockaddr_un("s.sock")) or die; listen($s, 1); sleep 600';
	spawnSync('chown', [`${other}:${other}`, folder]);
	const child = spawn('perl', ['-MSocket', '-e', script], {cwd: folder, uid: other, gid: other, stdio: 'ignore'});
	chmodSync(folder, 0o700);
	afterAll(() => void child.kill('SIGKILL'));
}

/** A program that listens in its own folder, so its socket has a relative path. It prints what connects. */
async function relativeSocket(cwd: string, uid: number): Promise<ChildProcess> {
	const script =
		'socket(my $s, AF_UNIX, SOCK_STREAM, 0); bind($s, sockaddr_un("relative.sock")) or die; listen($s, 5); ' +
		'$| = 1; print "ready\n"; sleep 3600';
	const child = spawn('perl', ['-MSocket', '-e', script], {cwd, ...(isRoot && {uid, gid: uid})});
	await new Promise<void>(resolve => child.stdout.once('data', () => resolve()));
	return child;
}

function boundDatagram(cwd: string, uid: number): ChildProcess {
	const script = 'socket(my $s, AF_UNIX, SOCK_DGRAM, 0); bind($s, sockaddr_un("datagram.sock")) or die; sleep 3600';
	return spawn('perl', ['-MSocket', '-e', script], {cwd, stdio: 'ignore', ...(isRoot && {uid, gid: uid})});
}

async function listening(where: object, onConnection: () => void): Promise<Server> {
	const server = createServer(socket => {
		onConnection();
		socket.destroy();
	});
	await new Promise<void>(resolve => server.listen(where, resolve));
	return server;
}

/** Returns one line for each entry, which changes when the entry does. */
function prints(path: string): readonly string[] {
	if (!existsSync(path)) return [`${path} is missing`];
	const stats = lstatSync(path);
	const about = `${path} ${stats.mode} ${stats.uid} ${stats.mtimeMs} ${stats.nlink}`;
	if (stats.isSymbolicLink()) return [`${about} ${readlinkSync(path)}`];
	if (stats.isFile()) return [`${about} ${hash(path)}`];
	if (!stats.isDirectory()) return [about];
	return [about, ...readdirSync(path).flatMap(name => prints(join(path, name)))];
}

function fixedPrints(pwd: string): readonly string[] {
	return fixedFiles.map(name => {
		const path = join(pwd, name);
		return `${path} ${existsSync(path) ? hash(path) : 'is missing'}`;
	});
}

function hash(path: string): string {
	return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** The kernel ends the processes of a namespace after its first process. */
async function gone(find: () => readonly string[]): Promise<readonly string[]> {
	await expect.poll(find, {timeout: 2000}).toEqual([]);
	return find();
}

function processesWith(word: string): readonly string[] {
	return readdirSync('/proc').flatMap(pid => {
		if (!/^\d+$/.test(pid)) return [];
		try {
			const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
			return words[0]?.endsWith('sleep') === true && words.includes(word) ? [pid] : [];
		} catch {
			return [];
		}
	});
}
