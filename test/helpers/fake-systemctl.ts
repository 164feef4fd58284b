import {chmod, readFile} from 'node:fs/promises';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import type {TempProject} from './temp-project.ts';

/** How the fake differs from a systemd that works. */
export type Trouble = 'no manager' | 'refuses' | 'starts nothing';

export type FakeSystemctl = {
	/** The folder of the program, for the PATH. */
	readonly bin: string;
	/** Returns the arguments of each call. */
	readonly calls: () => Promise<readonly string[]>;
};

/**
Creates a `systemctl` that accepts only the calls that inkpod may make. It starts the service of a unit as systemd does:
with the words of ExecStart, and with no variables except HOME, XDG_RUNTIME_DIR and those of the unit. It ends the
service when the test ends.
*/
export async function fakeSystemctl(project: TempProject, trouble?: Trouble): Promise<FakeSystemctl> {
	const bin = await project.mkdir('../systemd');
	const [log, pid] = [join(bin, 'calls'), join(bin, 'pid')];
	await chmod(await project.write('../systemd/systemctl', program({log, pid, trouble})), 0o755);
	onTestFinished(async () => {
		if (existsSync(pid)) process.kill(Number(await readFile(pid, 'utf8')), 'SIGKILL');
	});
	return {
		bin,
		async calls() {
			return existsSync(log) ? (await readFile(log, 'utf8')).trimEnd().split('\n') : [];
		},
	};
}

type Facts = {readonly log: string; readonly pid: string; readonly trouble: Trouble | undefined};

function program({log, pid, trouble}: Facts): string {
	return `#!${process.execPath}
const {appendFileSync, readFileSync, writeFileSync} = require('node:fs');
const {spawn} = require('node:child_process');
const words = process.argv.slice(2);
const call = words.join(' ');
appendFileSync(${JSON.stringify(log)}, call + '\\n');
const trouble = ${JSON.stringify(trouble ?? '')};
const fail = (code, text) => {
	process.stderr.write(text + '\\n');
	process.exit(code);
};
const name = /^--user (?:enable --now|start) (inkpod(?:-\\w{12})?\\.service)$/.exec(call)?.[1];
if (trouble === 'no manager') fail(1, 'Failed to connect to bus: No medium found');
if (call === '--user show --property=Version') process.stdout.write('Version=252\\n');
else if (call === '--user daemon-reload') process.exit(0);
else if (name === undefined) fail(64, 'unexpected call: ' + call);
else if (trouble === 'refuses') fail(1, 'Failed to enable unit:\\x1b[31m refused\\nsecond line');
else if (trouble !== 'starts nothing') {
	const unit = readFileSync(process.env.HOME + '/.config/systemd/user/' + name, 'utf8').split('\\n');
	const valuesOf = key => unit.filter(line => line.startsWith(key + '=')).map(line => line.slice(key.length + 1));
	const wordsOf = text => Array.from(text.matchAll(/"((?:[^"\\\\]|\\\\.)*)"/g), ([, word]) =>
		word.replaceAll(/\\\\(.)/g, '$1').replaceAll('%%', '%'));
	const [file, ...args] = wordsOf(valuesOf('ExecStart')[0]).map(word => word.replaceAll('$$', '$'));
	const own = Object.fromEntries(valuesOf('Environment').map(line => wordsOf(line)[0].split(/=(.*)/s, 2)));
	const {HOME, XDG_RUNTIME_DIR} = process.env;
	const child = spawn(file, args, {env: {HOME, XDG_RUNTIME_DIR, ...own}, cwd: '/', detached: true, stdio: 'ignore'});
	writeFileSync(${JSON.stringify(pid)}, String(child.pid));
	child.unref();
}
`;
}
