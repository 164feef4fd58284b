import {spawnSync} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {expect, it} from 'vitest';
import type {Walls} from '../../../../src/pod/permissions/confine/bwrap-arguments.ts';
import {firstProcess} from '../../../../src/pod/permissions/confine/first-process.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const folder = (path: string) => ({path, isFolder: true});
const walls: Walls = {
	...{pwd: '/p q', isWritable: true, own: [], shown: [], links: [], files: [], writable: [], caches: []},
	sources: new Map(),
	held: [folder('/p q/x')],
	readOnly: [{path: '/p q/.envrc', isFolder: false}, folder('/p q/x/.git')],
	covered: [{path: '/p q/sock', isFolder: false}],
	hidden: [],
	network: 'none',
	filter: undefined,
	user: undefined,
};

/** Rows of mountinfo: device, what is mounted, and where. */
const expected = [
	'8:1 /h/p\\040q /p\\040q',
	'8:1 /h/p\\040q/x /p\\040q/x',
	'8:1 /h/p\\040q/.envrc /p\\040q/.envrc',
	'8:1 /h/p\\040q/x/.git /p\\040q/x/.git',
	'0:5 /null /p\\040q/sock',
];
/** The project has another file system at `x`, which comes with each mount of a folder around it. */
const nested = [
	...['8:1 /h/p\\040q /p\\040q', '8:2 / /p\\040q/x', '8:2 / /p\\040q/x', '8:1 /h/p\\040q/.envrc /p\\040q/.envrc'],
	...['8:2 /.git /p\\040q/x/.git', '0:5 /null /p\\040q/sock'],
];
const replaced = (at: number, row: string) => expected.with(at, row);

it.for<readonly [name: string, rows: readonly string[], starts: boolean]>([
	['what is expected', expected, true],
	['another file system in the project', nested, true],
	['a folder outside at a place', replaced(3, '8:1 /home/me/.git /p\\040q/x/.git'), false],
	['a place of another file system', replaced(3, '8:2 /h/p\\040q/x/.git /p\\040q/x/.git'), false],
	['a place that is elsewhere', replaced(3, '8:1 /h/p\\040q/x/.git /home/me/.git'), false],
	['a held folder from outside', replaced(1, '8:1 /h/x /p\\040q/x'), false],
	['a place of another place', replaced(2, '8:1 /h/p\\040q/x /p\\040q/.envrc'), false],
	['a socket that is not covered', replaced(4, '0:5 /null /home/me/sock'), false],
	['a place that is missing', expected.toSpliced(1, 1), false],
	['nothing', [], false],
])('starts a command only if the mounts are those of the walls: %s', async ([, rows, starts]) => {
	const project = await tempProject({});
	const file = project.path('mountinfo');
	const lines = ['0:40 / /', ...rows, '0:41 / /proc'].map((row, n) => `${n + 20} 1 ${row} rw,nosuid - x y rw\n`);
	await writeFile(file, lines.join(''));
	const [shell = '', ...words] = firstProcess(walls).map(word => word.replace('/proc/self/mountinfo', file));
	const {stdout, stderr, status} = spawnSync(shell, [...words, '/bin/echo', 'ran'], {encoding: 'utf8'});
	expect({stdout, status, isTold: stderr.includes('were replaced')}).toEqual(
		starts ? {stdout: 'ran\n', status: 0, isTold: false} : {stdout: '', status: 125, isTold: true},
	);
});
