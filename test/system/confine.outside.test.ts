import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createConfinement} from '../../src/pod/permissions/confine/confinement.ts';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {openScratch} from '../../src/pod/tools/processes/output-file.ts';
import {startCommand} from '../../src/pod/tools/processes/start-command.ts';
import type {Env} from '../../src/pod/ground/env/env.ts';
import {removeTree} from '../helpers/temp-project.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

/** A project whose commands are confined. `state`: the file system of inkpod's state, if it is not the project's. */
function place(variables: (pwd: string) => Env, state?: string) {
	const create = (folder: string) => {
		const path = realpathSync(mkdtempSync(join(folder, 'inkpod-outside-')));
		onTestFinished(async () => removeTree(path));
		return path;
	};
	const top = create(tmpdir());
	const pwd = join(top, 'project');
	for (const folder of [pwd, join(top, 'home')]) mkdirSync(folder);
	const home = state === undefined ? join(top, 'state') : create(state);
	const env = {PATH: process.env['PATH'], HOME: join(top, 'home'), INKPOD_HOME: home, ...variables(pwd)};
	const scope = {pwd, writable: true, readRoots: []};
	const confinement = createConfinement({settings: {mode: 'require'}, scope, env, cells: join(home, 'cells')});
	const run = async (command: string, isLayered = true) => {
		const opened = await openScratch();
		if (!opened.ok) throw new Error(opened.sentence);
		const {output} = opened;
		const started = await startCommand(command, {
			...{shell: '/bin/bash', cwd: pwd, env, output, signal: AbortSignal.timeout(60_000)},
			launch: async (...given) => confinement.launch(...given, 'none', isLayered),
		});
		if (started.ok) await started.ended;
		const text = (await output.read(0, 65_536)).toString();
		await output.close();
		return text;
	};
	return {top, pwd, run};
}

describe.runIf(available.ok)('the programs that confine a command', {timeout: 60_000}, () => {
	it.for(['', '$PWD/lib', '/nowhere:', 'lib'])(
		'load no library of the project with LD_LIBRARY_PATH=%s',
		async written => {
			const value = (pwd: string) => written.replace('$PWD', pwd);
			const {top, pwd, run} = place(folder => ({LD_LIBRARY_PATH: value(folder)}));
			const canary = join(top, 'canary');
			const code = [
				'#include <stdio.h>',
				`__attribute__((constructor)) void go(void) { fclose(fopen("${canary}", "a")); }`,
				'int cap_from_name(void) { return -1; }',
			];
			mkdirSync(join(pwd, 'lib'));
			writeFileSync(join(top, 'evil.c'), code.join('\n'));
			for (const name of ['libcap.so.2', 'lib/libcap.so.2'])
				execFileSync('cc', ['-shared', '-fPIC', '-o', join(pwd, name), join(top, 'evil.c')]);
			for (const isLayered of [true, false])
				expect(await run('echo "<$LD_LIBRARY_PATH>"', isLayered)).toBe(`<${value(pwd)}>\n`);
			expect(existsSync(canary)).toBe(false);
		},
	);

	it.runIf(existsSync('/dev/shm'))('are not found in the project by PATH', async () => {
		const {top, pwd, run} = place(folder => ({PATH: `${folder}:${process.env['PATH']}`}), '/dev/shm');
		const canary = join(top, 'canary');
		for (const name of ['mkdir', 'mount', 'sh', 'bwrap'])
			writeFileSync(join(pwd, name), `#!/bin/sh\n: > ${canary}\nexec /bin/${name} "$@"\n`, {mode: 0o755});
		expect(await run('echo "${PATH%%:*}"')).toBe(`${pwd}\n`);
		expect(existsSync(canary)).toBe(false);
	});
});
