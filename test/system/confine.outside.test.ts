import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, lstatSync, readdirSync, readFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {confinedCommands} from '../helpers/confined-commands.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

describe.runIf(available.ok)('the programs that confine a command', {timeout: 60_000}, () => {
	it.for(['$PWD', '$PWD/lib', '/nowhere:', 'lib'])(
		'load no library of the project with LD_LIBRARY_PATH=%s',
		async written => {
			const valueIn = (project: string) => written.replace('$PWD', project);
			const {top, project, write, run} = confinedCommands({
				variables: folders => ({LD_LIBRARY_PATH: valueIn(folders.project)}),
			});
			const canary = join(top, 'canary');
			const code = [
				'#include <stdio.h>',
				`__attribute__((constructor)) void go(void) { fclose(fopen("${canary}", "a")); }`,
				'int cap_from_name(void) { return -1; }',
			];
			write('evil.c', code.join('\n'));
			for (const name of ['libcap.so.2', 'lib/libcap.so.2']) {
				write(`home/project/${name}`, '');
				execFileSync('cc', ['-shared', '-fPIC', '-o', join(project, name), join(top, 'evil.c')]);
			}
			for (const isLayered of [true, false])
				expect((await run('echo "<$LD_LIBRARY_PATH>"', {isLayered})).text).toBe(`<${valueIn(project)}>\n`);
			expect(existsSync(canary)).toBe(false);
		},
	);

	it.runIf(existsSync('/dev/shm'))('are not found in the project by PATH', async () => {
		const {top, project, write, run} = confinedCommands({
			variables: folders => ({PATH: `${folders.project}:${process.env['PATH']}`}),
			state: '/dev/shm',
		});
		const canary = join(top, 'canary');
		for (const name of ['mkdir', 'mount', 'sh', 'bwrap'])
			write(`home/project/${name}`, `#!/bin/sh\n: > ${canary}\nexec /bin/${name} "$@"\n`);
		expect((await run('echo "${PATH%%:*}"')).text).toBe(`${project}\n`);
		expect(existsSync(canary)).toBe(false);
	});
});

it.runIf(available.ok && existsSync('/opt'))(
	'the home folder is empty, even if it is a folder of the system',
	async () => {
		const {run} = confinedCommands({
			variables: ({top}) => ({HOME: '/opt', XDG_CACHE_HOME: join(top, 'caches')}),
		});
		for (const isLayered of [true, false]) {
			const {text} = await run('ls -1 /opt', {isLayered});
			expect(text.split('\n').filter(name => readdirSync('/opt').includes(name))).toEqual([]);
		}
	},
);

/**
What decides, by a link into the project, what a command sees. `made`: the command that puts a link in its place.
`leak`: the path by which the next command would read a file of the home folder.
*/
type Redirected = {
	readonly links: Readonly<Record<string, string>>;
	readonly variables?: Readonly<Record<string, string>>;
	readonly made: string;
	readonly leak: string;
	readonly settings?: {readonly show?: readonly string[]; readonly write?: readonly string[]};
};

const redirected: Readonly<Record<string, Redirected>> = {
	'a program of PATH': {
		links: {'~/.local/bin/tool': 'tools/bin/tool'},
		variables: {PATH: '~/.local/bin'},
		made: 'ln -sf ~/.ssh/key tools/bin/tool',
		leak: '~/.ssh/key',
	},
	'a folder of tools': {links: {'~/bin': 'tools'}, made: 'rm -r tools; ln -s ~/.ssh tools', leak: '~/bin/key'},
	'a folder of PATH': {
		links: {'~/x': 'tools'},
		variables: {PATH: '~/x/bin'},
		made: 'rm -r tools/bin; ln -s ~/.ssh tools/bin',
		leak: '~/x/bin/key',
	},
	'a folder beside one of PATH': {
		links: {'~/x': 'tools'},
		variables: {PATH: '~/x/bin'},
		made: 'ln -s ~/.ssh tools/lib',
		leak: '~/x/lib/key',
	},
	'a cache': {links: {'~/.npm': 'tools'}, made: 'rm -r tools; ln -s ~/.ssh tools', leak: '~/.npm/key'},
	'a cache that a variable names': {
		links: {},
		variables: {npm_config_cache: '~/project/.cached'},
		made: 'ln -s ~/.ssh .cached',
		leak: '~/.npm/key',
	},
	"inkpod's caches": {
		links: {'~/project/.caches/inkpod/confined/npm': '../.ssh'},
		variables: {XDG_CACHE_HOME: '~/project/.caches'},
		made: 'true',
		leak: '~/.npm/key',
	},
	'a tool chain that a variable names': {
		links: {'~/jdk': 'tools'},
		variables: {JAVA_HOME: '~/jdk'},
		made: 'rm -r tools; ln -s ~/.ssh tools',
		leak: '~/jdk/key',
	},
	certificates: {
		links: {'~/ca.pem': 'tools/bin/tool'},
		variables: {SSL_CERT_FILE: '~/ca.pem'},
		made: 'ln -sf ~/.ssh/key tools/bin/tool',
		leak: '~/ca.pem',
	},
	'the list of what git ignores': {
		links: {'~/.config/git/ignore': 'tools/bin/tool'},
		made: 'ln -sf ~/.ssh/key tools/bin/tool',
		leak: '~/.config/git/ignore',
	},
	'what the user shows': {
		links: {'~/x': '.'},
		made: 'ln -s ~/.ssh sub',
		leak: '~/.ssh/key',
		settings: {show: ['~/x/sub']},
	},
	'a folder in a writable one': {
		links: {'~/x': '.'},
		made: 'ln -s ~/.ssh sub',
		leak: '~/.ssh/key',
		settings: {write: ['~/x/sub']},
	},
};

describe.runIf(available.ok)('a confined command', {timeout: 60_000}, () => {
	it('reaches no socket in a cache on which a program listens', async () => {
		const {top, home, run} = confinedCommands({
			variables: folders => ({XDG_CACHE_HOME: join(folders.top, 'caches')}),
		});
		await run('true');
		const server = createServer(socket => socket.end('REACHED'));
		onTestFinished(() => void server.close());
		server.listen(join(top, 'caches/inkpod/confined/npm/s'));
		await once(server, 'listening');
		// Another command has bound the second one, under the name that it sees.
		const command = confinedCommands({variables: () => ({HOME: home, XDG_CACHE_HOME: join(top, 'caches')})});
		const over = new AbortController();
		const listen = 'require("net").createServer(s => s.end("REACHED")).listen(require("os").homedir() + "/.npm/t")';
		const ended = command.run(`'${process.execPath}' -e '${listen}'`, {
			...{isLayered: false, network: 'open', signal: over.signal},
		});
		await vi.waitFor(() => lstatSync(join(top, 'caches/inkpod/confined/npm/t')), 10_000);
		const connect = (
			name: string,
		) => `require("net").connect(require("os").homedir() + "/.npm/${name}").on("error", error =>
			console.log(error.code)).pipe(process.stdout)`;
		for (const [isLayered, name] of [true, false].flatMap(is => ['s', 't'].map(one => [is, one] as const)))
			expect((await run(`'${process.execPath}' -e '${connect(name)}'`, {isLayered})).text).toBe('ECONNREFUSED\n');
		over.abort();
		await ended;
	});
});

describe.runIf(available.ok)('a link in the project', {timeout: 60_000}, () => {
	it.for(Object.entries(redirected))('does not decide what a command sees: %s', async ([, attack]) => {
		const {links, made, leak, variables = {}, settings = {}} = attack;
		const secret = 'TOP-SECRET';
		for (const isLayered of [true, false]) {
			const full = (home: string, text: string) => text.replaceAll('~', home);
			const {home, write, link, run} = confinedCommands({
				variables: folders => ({
					...Object.fromEntries(
						Object.entries(variables).map(([name, path]) => [name, full(folders.home, path)]),
					),
					...(variables['PATH'] !== undefined && {
						PATH: `${full(folders.home, variables['PATH'])}:${process.env['PATH']}`,
					}),
				}),
				settings: folders => ({
					show: (settings.show ?? []).map(path => full(folders.home, path)),
					write: (settings.write ?? []).map(path => full(folders.home, path)),
				}),
			});
			write('home/.ssh/key', secret);
			write('home/project/tools/bin/tool', '');
			for (const [name, target] of Object.entries(links)) link(full(home, name), join(home, 'project', target));
			await run('true', {isLayered});
			await run(full(home, made), {isLayered: false});
			const {text} = await run(full(home, `cat ${leak}; echo evil > ${leak}; echo WORKS`), {isLayered});
			expect(text).toContain('WORKS');
			expect(text).not.toContain(secret);
			expect(readFileSync(join(home, '.ssh/key'), 'utf8')).toBe(secret);
		}
	});

	it('into which the user keeps settings lets a command have them', async () => {
		const {home, write, link, run} = confinedCommands();
		write('home/project/gitconfig', '[user]\n\tname = me\n');
		link(join(home, '.gitconfig'), join(home, 'project/gitconfig'));
		expect((await run('git config user.name')).text).toBe('me\n');
	});
});
