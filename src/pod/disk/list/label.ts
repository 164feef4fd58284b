import {rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {realFiles, type Files} from '../files.ts';
import {readSmall} from '../log/recover-stream.ts';

/**
The facts about a session that the list of sessions shows besides its first words. The title is an item of the history,
but is also stored here, so that a list does not have to read whole histories. The file can be deleted at any time.
*/
export type Label = z.infer<typeof labelSchema>;

/** Facts about a session at the end of its last turn. All texts are untrusted. */
export type SessionFacts = z.infer<typeof factsSchema>;

/** The facts that a list shows. */
export type ListedFacts = z.infer<typeof listedFactsSchema>;

export const listedFactsSchema = z.object({
	turns: z.number().int().positive(),
	model: z.string().max(200),
	usd: z.number().positive().optional(),
	branch: z.string().max(200).optional(),
	/** Whether the last turn was interrupted and can be continued. */
	interrupted: z.literal(true).optional(),
});

const factsSchema = listedFactsSchema.extend({
	/**
	The size of all histories of the session and its family when the facts were stored. If the size has changed, the
	facts are out of date.
	*/
	bytes: z.number().int().positive().optional(),
});

const labelSchema = z.object({
	title: z.string().max(200).optional(),
	pinned: z.literal(true).optional(),
	facts: factsSchema.optional(),
});

/** Reads the label of a session. A missing or damaged file is an empty label. */
export async function readLabel(dir: string, files: Files = realFiles): Promise<Label> {
	try {
		return labelSchema.parse(JSON.parse((await readSmall(join(dir, labelName), maxBytes, files)) ?? ''));
	} catch {
		return {};
	}
}

export function listedFacts({facts}: Label): ListedFacts | undefined {
	if (facts === undefined) return undefined;
	const {bytes: _, ...listed} = facts;
	return listed;
}

/**
Changes a part of the label, after pending changes of the same label by this process. `undefined` removes a part.
Rejects with the system's error.
*/
export async function changeLabel(dir: string, change: LabelChange): Promise<void> {
	const before = changes.get(dir) ?? Promise.resolve();
	const made = before.catch(() => undefined).then(async () => writeLabel(dir, change));
	changes.set(dir, made);
	try {
		await made;
	} finally {
		if (changes.get(dir) === made) changes.delete(dir);
	}
}

type LabelChange = {readonly [Key in keyof Label]: Label[Key]};

/** The last pending change of each label, by the folder of its session. */
const changes = new Map<string, Promise<void>>();

async function writeLabel(dir: string, change: LabelChange): Promise<void> {
	const file = join(dir, labelName);
	const unfinished = `${file}.${process.pid}.new`;
	await writeFile(unfinished, `${JSON.stringify({...(await readLabel(dir)), ...change})}\n`, {mode: 0o600});
	await rename(unfinished, file);
}

export const labelName = 'label.json';
const maxBytes = 4096;
