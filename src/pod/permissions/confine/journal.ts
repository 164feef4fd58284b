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
Applies the effects of a cell to the real folders. Once the journal is durable, all effects will be applied, even if
inkpod is killed: `finishTakeOvers` then runs the remaining steps. Throws errors of the disk.
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
Finishes the interrupted take-overs of a session that was killed, and removes its cells. Returns the number of finished
take-overs. Only the process that has the session's lock may call it.
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

/** Tells whether a take-over of a cell was begun and is not finished. */
export function hasJournal(dir: string): boolean {
	return existsSync(join(dir, journalName));
}

/**
Removes the folder of a cell. The command and overlayfs may have left folders without permissions, and paths that are
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
		// If the journal is missing or incomplete, no step was run.
		return undefined;
	}
}

/** Returns the sources that must be copied, because they are on another file system than their target folder. */
function copied(steps: readonly Step[], roots: readonly string[]): readonly string[] {
	// All sources for one root come from one layer, so one comparison per root is enough.
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

/**
Copies the files of an upper layer in memory to the folder of the journal, because this layer is lost when the cell
ends.
*/
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
