import {z} from 'zod';
import {readBackup} from '../../disk/bodies/pasted.ts';
import {realFiles, type Files} from '../../disk/files.ts';
import type {FileChange} from '../../disk/records/file-changes.ts';
import {applyEdits} from '../../tools/files/edits.ts';
import {decodeText, encodeText, replacingText, type FileText} from '../../tools/files/file-text.ts';
import {sha256} from '../../tools/files/planned-change.ts';

/** The contents of files, by the sha256 of their bytes. */
export type Contents = {
	/** Adds a content, and returns its hash. */
	readonly add: (bytes: Buffer) => string;
	/** Returns the text of a content, or `undefined` if it is lost or not a text. */
	readonly text: (hash: string) => string | undefined;
	/** Finds the contents before and after a change: in the backups, or from the change and the other content. */
	readonly find: (change: FileChange) => Promise<void>;
};

/**
Creates the contents. A content that is made again from a change counts only if its hash is the recorded one, so nothing
that was altered afterwards is used.
*/
export function createContents(files: Files = realFiles): Contents {
	const known = new Map<string, FileText | undefined>();
	const add = (bytes: Buffer) => {
		const hash = sha256(bytes);
		if (!known.has(hash)) known.set(hash, decodeText(bytes));
		return hash;
	};
	const addIf = (hash: string, text: FileText | undefined) => {
		if (text !== undefined && sha256(encodeText(text)) === hash) known.set(hash, text);
	};
	const addBackup = async (dir: string, hash: string) => {
		const bytes = known.has(hash) ? undefined : await readBackup(dir, hash, files);
		if (bytes !== undefined) add(bytes);
	};
	return {
		add,
		text: hash => known.get(hash)?.raw,
		async find(change) {
			const {dir, before, after} = change;
			if (before !== undefined) await addBackup(dir, before);
			if (!known.has(after)) addIf(after, madeBy(change, before === undefined ? undefined : known.get(before)));
			if (!known.has(after)) await addBackup(dir, after);
			if (before === undefined || known.has(before)) return;
			const now = known.get(after);
			if (now !== undefined && change.diff !== undefined) addIf(before, await undone(change.diff, now));
		},
	};
}

const editSchema = z.object({old: z.string(), new: z.string(), all: z.boolean().optional()});

const writeSchema = z.object({content: z.string()});

const editsSchema = z.object({edits: z.array(editSchema)});

/** Makes a change again. */
function madeBy({tool, args, before}: FileChange, present: FileText | undefined): FileText | undefined {
	if (before !== undefined && present === undefined && tool === 'edit_file') return undefined;
	const read = parsed(args);
	const written = writeSchema.safeParse(read).data;
	if (written !== undefined) return replacingText(present, written.content);
	const edits = editsSchema.safeParse(read).data?.edits;
	const edited = edits && applyEdits(present?.raw ?? '', edits);
	return edited?.ok === true ? {bom: present?.bom === true, raw: edited.raw} : undefined;
}

/** Takes a change back with its diff. A diff that was cut does not apply, or leads to another hash. */
async function undone(diff: string, now: FileText): Promise<FileText | undefined> {
	const {applyPatch, parsePatch, reversePatch} = await import('diff');
	try {
		const [patch] = parsePatch(diff);
		const raw = patch === undefined ? false : applyPatch(now.raw, reversePatch(patch));
		return raw === false ? undefined : {bom: now.bom, raw};
	} catch {
		return undefined;
	}
}

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}
