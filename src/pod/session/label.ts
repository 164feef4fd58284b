import {readFile, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';

/**
What the list of sessions shows beside a session's first words. The title is an item of the history, and is stored here
again so that a list does not read whole histories. The file can be deleted at any time.
*/
export type Label = z.infer<typeof labelSchema>;

/** Facts about a session when it was closed last. All texts are untrusted. */
export type SessionFacts = z.infer<typeof factsSchema>;

const factsSchema = z.object({
	turns: z.number().int().positive(),
	model: z.string().max(200),
	usd: z.number().positive().optional(),
	branch: z.string().max(200).optional(),
});

const labelSchema = z.object({
	title: z.string().max(200).optional(),
	pinned: z.literal(true).optional(),
	facts: factsSchema.optional(),
});

/** Reads the label of a session. A missing or damaged file is an empty label. */
export async function readLabel(dir: string): Promise<Label> {
	try {
		return labelSchema.parse(JSON.parse((await readFile(join(dir, labelName), 'utf8')).slice(0, maxBytes)));
	} catch {
		return {};
	}
}

/** Changes a part of the label. `undefined` removes it. Rejects with the system's error. */
export async function changeLabel(dir: string, change: {readonly [Key in keyof Label]: Label[Key]}): Promise<void> {
	const file = join(dir, labelName);
	const unfinished = `${file}.${process.pid}.new`;
	await writeFile(unfinished, `${JSON.stringify({...(await readLabel(dir)), ...change})}\n`, {mode: 0o600});
	await rename(unfinished, file);
}

export const labelName = 'label.json';
const maxBytes = 4096;
