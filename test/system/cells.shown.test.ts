import {spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Duplex} from 'node:stream';
import {text} from 'node:stream/consumers';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createCell, endOfCell, type CellOptions} from '../../src/pod/permissions/confine/cell.ts';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {removeTree} from '../helpers/temp-project.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

/** Runs a script in a cell. Its arguments are the overlays of the folders. Returns what it prints. */
async function run(top: string, shown: readonly string[], script: string): Promise<string> {
	const project = join(top, 'project');
	mkdirSync(project);
	const options: CellOptions = {
		dir: join(top, 'cell'),
		folders: [{path: project, known: new Map()}],
		shown,
		upper: 'disk',
		isOffline: true,
		bwrap: '/usr/bin/bwrap',
		mount: '/usr/bin/mount',
	};
	const {seen, wrap} = await createCell(options);
	const {file, args} = wrap(['sh', '-c', script, 'sh', ...seen]);
	const child = spawn(file, args, {stdio: ['ignore', 'pipe', 'inherit', 'pipe']});
	const exited = new Promise<void>(resolve => void child.on('exit', () => resolve()));
	const output = text(child.stdout!);
	const ended = await endOfCell(options, child.stdio[3] as unknown as Duplex, exited);
	expect(ended?.code).toBe(0);
	ended?.close();
	await exited;
	return output;
}

describe.skipIf(!available.ok)('the shown folders of a cell', () => {
	it('can be read and not changed, although a folder contains the folder of the cell', async () => {
		const top = folder();
		writeFileSync(join(top, 'a'), '');
		const output = await run(top, [top], '(: > "$1/new") 2>&1; chmod 600 "$1/a" 2>&1; ls "$1"');
		expect(output).toMatch(/(?:Read-only file system[^]*){2}\na\ncell\nproject\n$/);
	});

	it('are the folders themselves if the kernel refuses their overlay', async () => {
		const top = folder();
		mkdirSync(join(top, 'b/c'), {recursive: true});
		// The names of settings have rules of their own, which overlayfs does not support.
		const names = (await run(top, ['/proc/sys/kernel', join(top, 'b')], 'ls "$@"')).split('\n');
		expect(names).toEqual(expect.arrayContaining(['hostname', 'c']));
	});

	it('are empty if they are gone', async () => {
		const top = folder();
		expect(await run(top, [join(top, 'gone')], 'ls "$1"')).toBe('');
	});
});

function folder(): string {
	const top = realpathSync(mkdtempSync(join(tmpdir(), 'inkpod-shown-')));
	onTestFinished(async () => removeTree(top));
	return top;
}
