import {mkdir, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {confinedPlace, secret} from '../helpers/confined-place.ts';
import {layeredCommands} from '../helpers/layered-commands.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

/** renameat2 (linux/unistd.h) with RENAME_EXCHANGE */
const number = process.arch === 'arm64' ? 276 : 316;
/** Exchanges a folder and a link to the home folder until there is a file `stop`. */
const exchange = `mkdir -p sub/.ssh sub/.aws && ln -s ../home link && exec perl -e '
	my ($one, $other) = ("sub", "link");
	while (!-e "stop") { syscall(${number}, -100, $one, -100, $other, 2); select(undef, undef, undef, 0.004); }'`;

describe.runIf(available.ok)('a command that runs', {timeout: 120_000}, () => {
	it('shows no other command what is outside by exchanging folders and links', async () => {
		const {project, run} = await confinedPlace();
		const running = run(exchange);
		await expect.poll(async () => run('ls')).toContain('link');
		const outputs: string[] = [];
		for (let n = 0; n < 25; n++) outputs.push(await run('cat ~/.ssh/* ~/.aws/* sub/.*/* link/.*/*; echo BEGAN'));
		await writeFile(join(project, 'stop'), '');
		await running;
		expect(outputs.filter(output => output.includes(secret))).toEqual([]);
		expect(await run('echo WORKS')).toBe('WORKS\n');
	});

	it('does not change the program that confines it', async () => {
		const {run} = await confinedPlace();
		expect(await run('for p in /proc/[0-9]*; do chmod 755 $p/exe && echo "CHANGED $p"; done; true')).not.toContain(
			'CHANGED',
		);
	});

	it('does not change the devices of the machine, with a layer and without', async () => {
		const {project, home, run} = await confinedPlace();
		const layered = layeredCommands(project, home, join(home, '.local/state/inkpod'));
		const change =
			'for d in /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty /proc/self/fd/0; do ' +
			'chmod 666 $d && echo "CHANGED $d"; done; echo x > /dev/null && head -c 3 /dev/zero | wc -c';
		const outputs = [await run(change)];
		if ((await layered.noCells()) === undefined) outputs.push((await layered.run(change)).output);
		for (const output of outputs) {
			expect(output).not.toContain('CHANGED');
			expect(output).toMatch(/^3$/m);
		}
	});

	it('cannot move a socket of another program to a path at which the next command would reach it', async () => {
		const {project, run} = await confinedPlace();
		await mkdir(join(project, 'a/b'), {recursive: true});
		const server = createServer(socket => {
			socket.on('error', () => {});
			socket.end(secret);
		});
		await new Promise<void>(resolve => {
			server.listen(join(project, 'a/b/sock'), resolve);
		});
		onTestFinished(async () => new Promise(resolve => void server.close(() => resolve())));
		await run('mv a/b/sock s; ln a/b/sock s; mv a/b b; mv a c; mkdir d; mv a/b d/b');
		const paths = ['s', 'b/sock', 'c/b/sock', 'd/b/sock', 'a/b/sock'];
		const output = await run(
			`perl -MIO::Socket::UNIX -e 'for (qw(${paths.join(' ')})) { my $s = IO::Socket::UNIX->new($_); print <$s> if $s }'`,
		);
		expect(output).toBe('');
	});
});
