import {randomBytes} from 'node:crypto';
import {
	closeSync,
	existsSync,
	fsyncSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';

import {chmod, readdir, rename, rmdir, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {copyTree, refuseHoles} from './copy-tree.ts';
import {bytesOf, layerPath, statsOf} from './effects.ts';
import {stepSchema, type Step} from './layer.ts';
import {runSteps, type Ran, type RunGitStep} from './run-steps.ts';

const journalSchema = z.object({
	format: z.literal('inkpod.take-over/1'),
	roots: z.array(z.string()),
	steps: z.array(stepSchema),
});
const journalName = 'journal.json';

type Journaled = {
	/** The folder of the cell. */
	readonly dir: string;
	/** The real folders that may change, in the notation of a layer. */
	readonly roots: readonly string[];
	readonly steps: readonly Step[];
	readonly runGitStep: RunGitStep;
};

/**
Takes the effects of a cell over. From the moment when the journal is durable, all of them are taken, also if inkpod is
killed: `finishTakeOvers` does the rest. It throws errors of the disk.
*/
export async function takeOver({dir, roots, steps, runGitStep}: Journaled): Promise<Ran> {
	if (steps.length === 0) return {conflicts: [], notes: []};
	refuseHoles(copied(steps, roots));
	const staged = stage(dir, steps);
	const path = join(dir, journalName);
	writeDurably(dir, path, JSON.stringify({format: 'inkpod.take-over/1', roots, steps: staged}));
	const ran = await runSteps(staged, {roots, removed: layerPath(join(dir, 'removed')), runGitStep});
	rmSync(path);
	return ran;
}

/**
Finishes the take-overs of a session that was killed, and removes what is left of its cells. Returns how many it has
finished. Only the holder of the session's lock may call it.
*/
export async function finishTakeOvers(cells: string, runGitStep: RunGitStep): Promise<number> {
	const names = await readdir(cells).catch(() => []);
	let finished = 0;
	for (const name of names.toSorted((one, other) => (one < other ? -1 : 1))) {
		const dir = join(cells, name);
		const journal = readJournal(join(dir, journalName));
		if (journal !== undefined) {
			await runSteps(journal.steps, {...journal, removed: layerPath(join(dir, 'removed')), runGitStep});
			finished++;
		}
		await removeCell(dir);
	}
	return finished;
}

/** Tells whether a take-over of a cell is not finished. */
export function hasJournal(dir: string): boolean {
	return existsSync(join(dir, journalName));
}

/**
Removes the folder of a cell. The command and overlayfs may have left folders that cannot be entered, and a path that is
too long for the system.
*/
export async function removeCell(dir: string): Promise<void> {
	if (existsSync(dir)) await removeFlat(bytesOf(layerPath(dir)));
}

/** Removes a folder by moving each folder in it to the top first, so that every path is short. */
async function removeFlat(top: Buffer): Promise<void> {
	const pathOf = (folder: Buffer, name: Buffer | string) =>
		Buffer.concat([folder, Buffer.from('/'), Buffer.from(name)]);
	const folders = [top];
	for (let folder = folders.pop(), moved = 0; folder !== undefined; folder = folders.pop()) {
		await chmod(folder, 0o700);
		for (const entry of await readdir(folder, {withFileTypes: true, encoding: 'buffer'})) {
			const path = pathOf(folder, entry.name);
			if (!entry.isDirectory()) await unlink(path);
			else {
				const to = pathOf(top, `inkpod-removed-${randomBytes(4).toString('hex')}-${moved++}`);
				await chmod(path, 0o700);
				await rename(path, to);
				folders.push(to);
			}
		}
		if (folder !== top) await rmdir(folder);
	}
	await rmdir(top);
}

function readJournal(path: string): z.infer<typeof journalSchema> | undefined {
	try {
		return journalSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
	} catch {
		// Without a whole journal nothing was taken over.
		return undefined;
	}
}

/** Returns what steps copy, because it is on another file system than the folder that gets it. */
function copied(steps: readonly Step[], roots: readonly string[]): readonly string[] {
	// What goes to one folder comes from one layer.
	const isFar = new Map<string, boolean>();
	const deviceOf = (path: string) => statsOf(bytesOf(path))?.dev;
	return steps.flatMap(step => {
		const root = 'from' in step ? roots.find(folder => step.to.startsWith(`${folder}/`)) : undefined;
		if (root === undefined || !('from' in step)) return [];
		const far = isFar.get(root) ?? deviceOf(root) !== deviceOf(step.from);
		isFar.set(root, far);
		return far ? [step.from] : [];
	});
}

/** An upper layer in memory ends with its cell, so its files are copied beside the journal first. */
function stage(dir: string, steps: readonly Step[]): readonly Step[] {
	const inCell = `${layerPath(dir)}/`;
	return steps.map((step, n) => {
		if (!('from' in step) || step.from.startsWith(inCell)) return step;
		const from = `${inCell}staged/${n}`;
		mkdirSync(join(dir, 'staged'), {recursive: true, mode: 0o700});
		copyTree(step.from, from);
		return {...step, from};
	});
}

function writeDurably(dir: string, path: string, text: string): void {
	const fd = openSync(`${path}.new`, 'wx', 0o600);
	try {
		writeFileSync(fd, text);
		fsyncSync(fd);
	} finally {
		closeSync(fd);
	}
	renameSync(`${path}.new`, path);
	const folder = openSync(dir, 'r');
	try {
		fsyncSync(folder);
	} finally {
		closeSync(folder);
	}
}
