import {execFileSync, spawn} from 'node:child_process';
import {linkSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import type {TempProject} from '../helpers/temp-project.ts';
import {meanwhile, python} from './hostile-attack.ts';
import {processesOf, secret, tried, type TryingOptions} from './tried.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

/** A folder that a command sees. `from`: its path in the command. `real`: its path below the folder around all. */
type Place = {readonly from: string; readonly real: string; readonly options: TryingOptions};

const places: Readonly<Record<string, Place>> = {
	'an added folder': {from: '../added', real: 'added', options: {readRoots: ['added']}},
	'the repository around the project': {from: '..', real: 'project', options: {pwd: 'd'}},
	'a folder of confine.show': {from: '../shown', real: 'shown', options: {show: ['shown']}},
	'~/.local/bin': {from: '../home/.local/bin', real: 'home/.local/bin', options: {}},
};

describe.skipIf(!available.ok).each(Object.entries(places))('a command that is tried, in %s,', (_name, place) => {
	it('reaches no program at a pipe', async () => {
		const {got, result} = await trial(place, pipes(place), folder => pipesIn(folder));
		expect(result.titles).toEqual([]);
		expect(got()).toBe('');
	});

	it('reaches no program at a socket that was renamed or got a second name', async () => {
		const {result} = await trial(place, sockets(place), folder => socketsIn(folder));
		expect(result.titles).toEqual([]);
		expect(result.content).toMatch(/refused/i);
	});

	it('reaches no program at pipes and sockets that are made meanwhile', async () => {
		const waiting = `until ls ${place.from} | grep -q ready; do sleep 0.05; done\n`;
		const {got, result} = await trial(place, `${waiting}${pipes(place)}\n${sockets(place)}`, (folder, project) => {
			let isMade = false;
			meanwhile(() => {
				if (isMade || processesOf(`HOME=${dirname(project.dir)}/home`).length === 0) return;
				isMade = true;
				pipesIn(folder);
				socketsIn(folder);
				writeFileSync(join(folder, 'ready'), '');
			});
		});
		expect(result.titles).toEqual([]);
		expect(result.content).toMatch(/refused/i);
		expect(got()).toBe('');
	});
});

/** Runs a command. `make` prepares the folder. `got` returns what a program outside has read from a pipe. */
async function trial({real, options}: Place, command: string, make: (folder: string, project: TempProject) => void) {
	const result = await tried(command, {
		...options,
		prepare(project) {
			const folder = join(dirname(project.dir), real);
			mkdirSync(folder, {recursive: true});
			writeFileSync(join(folder, 'got'), '');
			make(folder, project);
		},
	});
	expect(result.sent).not.toContain(secret);
	return {result, got: () => readFileSync(join(result.top, real, 'got'), 'utf8')};
}

/** Starts programs that read from one pipe and write into another one. */
function pipesIn(folder: string): void {
	execFileSync('mkfifo', ['in', 'out'], {cwd: folder});
	for (const script of ['cat in > got', `echo ${secret} > out`]) {
		const program = spawn('sh', ['-c', script], {cwd: folder, stdio: 'ignore', detached: true});
		onTestFinished(() => void (program.pid !== undefined && process.kill(-program.pid)));
	}
}

/** Starts programs that listen. One socket is renamed, and the other one gets a second name. */
function socketsIn(folder: string): void {
	for (const name of ['first', 'second']) {
		const server = createServer(socket => {
			socket.on('error', () => {});
			socket.end(secret);
		});
		server.listen(join(folder, name));
		onTestFinished(() => void server.close());
	}
	renameSync(join(folder, 'first'), join(folder, 'renamed'));
	linkSync(join(folder, 'second'), join(folder, 'linked'));
}

const pipes = ({from}: Place) =>
	python(
		`import os,select
try:
  os.write(os.open('${from}/in',os.O_WRONLY|os.O_NONBLOCK),b'evil')
except OSError as e: print(e)
f=os.open('${from}/out',os.O_RDONLY|os.O_NONBLOCK)
if select.select([f],[],[],1)[0]: print(os.read(f,99))`,
	);

const sockets = ({from}: Place) =>
	python(
		`import socket
for name in ('renamed','linked','second'):
  s=socket.socket(1)
  try:
    s.connect('${from}/'+name);print(s.recv(99))
  except OSError as e: print(e)`,
	);
