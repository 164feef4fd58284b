import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {ulid} from 'ulid';
import {z} from 'zod';
import {homeOf, type Env} from '../home.ts';
import {contains} from '../scope/scope.ts';
import {failureOf, failureSentence, fileMode, makeDir, quietly, realFiles, syncDir} from '../session/files.ts';
import {projectDir, realProject, stateHome} from '../session/paths.ts';
import {hashOf, type TrustContent, type TrustSubject} from './contents.ts';

/** What the person trusted of one project, outside of it: one file a subject, with the contents, so that a change can be shown. */
export type TrustStore = {
	/** The contents that were trusted last; `undefined` when there are none, or when the file is not to be believed. */
	read(subject: TrustSubject): Promise<readonly TrustContent[] | undefined>;
	/** Resolves with a sentence when it could not be kept. */
	write(subject: TrustSubject, contents: readonly TrustContent[]): Promise<string | undefined>;
};

/** The store of a project: `trust/<project>/` in the state folder. `pwd` is a real path. */
export async function openTrustStore(env: Env, pwd: string): Promise<TrustStore> {
	const folder = projectDir(join(stateHome(env), 'trust'), pwd);
	if (await liesInProject(folder, pwd, env)) return nowhere(folder);
	return {
		async read(subject) {
			const record = await readRecord(fileOf(folder, subject));
			return record?.project === pwd && record.kind === subject.kind && record.name === subject.name && hashOf(record.contents) === record.sha256 ? record.contents : undefined;
		},
		async write(subject, contents) {
			const record: TrustRecord = {version: 1, project: pwd, ...subject, sha256: hashOf(contents), contents: [...contents]};
			const file = fileOf(folder, subject);
			try {
				await writeWhole(file, `${JSON.stringify(record)}\n`);
				return undefined;
			} catch (error) {
				return `What you trust is not kept beyond this session. ${failureSentence(failureOf(error), file, error)}`;
			}
		},
	};
}

type TrustRecord = z.infer<typeof recordSchema>;
const recordSchema = z.object({version: z.literal(1), project: z.string(), kind: z.string(), name: z.string(), sha256: z.string(), contents: z.array(z.object({name: z.string(), text: z.string()}))});

/** A project must not bring its own trust along. In a project that holds the person's whole home it cannot be otherwise. */
async function liesInProject(folder: string, pwd: string, env: Env): Promise<boolean> {
	return contains(pwd, await realAncestor(folder)) && !contains(pwd, await realProject(homeOf(env)));
}

/** The real path of what there is of a folder, with the rest behind it. */
async function realAncestor(path: string): Promise<string> {
	const real = await realProject(path);
	const parent = dirname(path);
	return real !== path || parent === path ? real : join(await realAncestor(parent), path.slice(parent.length));
}

function nowhere(folder: string): TrustStore {
	return {read: async () => undefined, write: async () => `What you trust is not kept beyond this session: ${folder} lies in the project.`};
}

function fileOf(folder: string, {kind, name}: TrustSubject): string {
	return join(folder, `${createHash('sha256').update(JSON.stringify([kind, name])).digest('hex').slice(0, 32)}.json`);
}

const maxRecordBytes = 64 * 1024 * 1024;

/** Believes only a regular file of this user's that nobody else may write. */
async function readRecord(file: string): Promise<TrustRecord | undefined> {
	try {
		const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		try {
			const stats = await handle.stat();
			if (!stats.isFile() || stats.size > maxRecordBytes || (stats.mode & 0o022) !== 0 || stats.uid !== process.getuid?.()) return undefined;
			return recordSchema.safeParse(JSON.parse(await handle.readFile('utf8'))).data;
		} finally {
			await handle.close();
		}
	} catch {
		return undefined;
	}
}

/** Puts a file in its place in one step, so that another process reads the old one or the new one. */
async function writeWhole(path: string, text: string): Promise<void> {
	await makeDir(realFiles, dirname(path));
	const draft = `${path}.${ulid()}`;
	try {
		const handle = await open(draft, 'wx', fileMode);
		try {
			await handle.writeFile(text);
			await handle.datasync();
		} finally {
			await handle.close();
		}
		await realFiles.rename(draft, path);
		await syncDir(realFiles, dirname(path));
	} catch (error) {
		await quietly(realFiles.unlink(draft));
		throw error;
	}
}
