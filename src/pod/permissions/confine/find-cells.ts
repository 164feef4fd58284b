import {spawn} from 'node:child_process';
import {statSync} from 'node:fs';
import {dirname} from 'node:path';
import {Duplex} from 'node:stream';
import {errorCode} from '../../ground/files/fs-error.ts';
import {openDescriptors} from '../../platform/process-identity.ts';
import {findProgram} from '../../platform/programs.ts';
import type {Walls} from './bwrap-arguments.ts';
import {createCells, type Cells, type CellsOptions} from './cells.ts';
import {removeCell} from './journal.ts';
import {isLayerable} from './layerable.ts';
import {hasMountIn, mountPoints} from './mounts.ts';
import type {NoCells} from './texts.ts';

export type FoundCells = {readonly ok: true; readonly cells: Cells} | {readonly ok: false; readonly reason: NoCells};

type FindCellsOptions = Pick<CellsOptions, 'dir' | 'runGitStep' | 'indexPack' | 'env'> & {
	/** A folder for the trial cell. `findCells` creates and removes it. */
	readonly trial: string;
	readonly bwrap: string;
};

/** Finds out whether commands within these walls can work on a layer. Runs an empty command to test this. */
export async function findCells(walls: Walls, options: FindCellsOptions): Promise<FoundCells> {
	try {
		return await tryCells(walls, options);
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return refused('failed');
	} finally {
		await removeCell(options.trial).catch(() => {});
	}
}

async function tryCells(walls: Walls, options: FindCellsOptions): Promise<FoundCells> {
	const {pwd} = walls;
	if (!walls.isWritable) return refused('read_only');
	if (walls.user === undefined) return refused('no_namespace');
	const mount = findProgram('mount', options.env['PATH'], pwd) ?? findProgram('mount', '/usr/bin:/bin', pwd);
	if (mount === undefined) return refused('no_program');
	const folders = [pwd, ...walls.writable];
	if (!folders.every(isLayerable)) return refused('file_system');
	const points = mountPoints();
	if (folders.some(folder => hasMountIn(folder, points))) return refused('mounts');
	const isNear = statSync(nearest(options.trial)).dev === statSync(pwd).dev;
	for (const upper of isNear ? (['disk', 'memory'] as const) : (['memory'] as const)) {
		const trial = createCells({...options, mount, upper, dir: options.trial});
		const isPossible = await runsIn(trial, walls).catch(notOnDisk);
		if (isPossible) return {ok: true, cells: createCells({...options, mount, upper})};
	}
	return refused('failed');
}

function refused(reason: NoCells): FoundCells {
	return {ok: false, reason};
}

/** Turns an error of the disk into `false`, because the disk may be full or read-only. */
function notOnDisk(cause: unknown): false {
	if (errorCode(cause) === '') throw cause;
	return false;
}

async function runsIn(cells: Cells, walls: Walls): Promise<boolean> {
	const launched = await cells.launch(walls, first => [...first, '/bin/sh', '-c', ':']);
	if (launched === undefined) return false;
	const {file, args, descriptors, cell} = launched;
	using opened = openDescriptors(descriptors);
	const child = spawn(file, args, {
		cwd: walls.pwd,
		env: {},
		stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...opened.fds],
		timeout: trialMs,
		killSignal: 'SIGKILL',
	});
	const over = new Promise<void>(resolve => {
		child.on('error', () => resolve());
		child.on('close', () => resolve());
	});
	// Node creates no pipes for a program that it could not start.
	const socket = child.pid === undefined ? undefined : child.stdio[3];
	const code = socket instanceof Duplex ? await cell.ended(socket, over) : undefined;
	await cell.discard();
	await over;
	return code === 0;
}

const trialMs = 5000;

/** Returns the nearest existing folder above a path. */
function nearest(path: string): string {
	for (let folder = dirname(path); ; folder = dirname(folder))
		if (statSync(folder, {throwIfNoEntry: false}) !== undefined || folder === dirname(folder)) return folder;
}
