import {rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import type {Item} from '../../../worker/index.ts';
import {narrowDetails} from '../../protocol.ts';
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

/** The maximum length of a file's path and of the last words, in UTF-16 code units, and the number of files. */
const maxFact = 120;
const maxFiles = 4;

export const listedFactsSchema = z.object({
	turns: z.number().int().positive(),
	model: z.string().max(200),
	usd: z.number().positive().optional(),
	branch: z.string().max(200).optional(),
	/** Whether the last turn was interrupted and can be continued. */
	interrupted: z.literal(true).optional(),
	/** The first files that tools changed, as the model wrote their paths, and the number of all changed files. */
	files: z.array(z.string().max(maxFact)).max(maxFiles).optional(),
	fileCount: z.number().int().positive().optional(),
});

const factsSchema = listedFactsSchema.extend({
	/**
	The size of all histories of the session and its family when the facts were stored. If the size has changed, the
	facts are out of date.
	*/
	bytes: z.number().int().positive().optional(),
	/** The last words that the user wrote. */
	last: z.string().max(maxFact).optional(),
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

/** Returns the line that names the user's last message, as a label contains it. */
export function cutLast(line: string | undefined): string | undefined {
	return line === undefined || line === '' ? undefined : line.slice(0, maxFact).replace(halfCharacter, '');
}

/** Returns the files that tools changed in these items, as a label contains them. */
export function fileFacts(items: readonly Item[]): Pick<ListedFacts, 'files' | 'fileCount'> {
	const paths = new Map<string, string>();
	for (const item of items) {
		if (item.type !== 'tool_result' || item.details === undefined) continue;
		for (const {real, path} of narrowDetails(item.details).changed ?? []) paths.set(real, path);
	}
	if (paths.size === 0) return {};
	const files = [...paths.values()].slice(0, maxFiles).map(path => {
		const line = path.toWellFormed().replaceAll(/\s+/gu, ' ');
		return line.length <= maxFact ? line : `…${line.slice(1 - maxFact)}`.toWellFormed();
	});
	return {files, fileCount: paths.size};
}

export function listedFacts({facts}: Label): ListedFacts | undefined {
	if (facts === undefined) return undefined;
	const {bytes: _, last: __, ...listed} = facts;
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

/** The first half of a character whose second half was cut off. */
const halfCharacter = /[\uD800-\uDBFF]$/;

export const labelName = 'label.json';
/**
The maximum size of a label in bytes. Even a label with the longest texts is smaller, if JSON escapes every character.
*/
const maxBytes = 16_384;
