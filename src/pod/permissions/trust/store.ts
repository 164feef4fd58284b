import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {z} from 'zod';
import type {Env} from '../../ground/env/env.ts';
import {failureOf, failureSentence} from '../../disk/files.ts';
import {projectDir, stateHome} from '../../disk/paths.ts';
import {trustTexts} from './texts.ts';
import {isInProject, readPrivateJson, writePrivateFile} from './private-file.ts';

/**
The store of a project's trusted contents. It is outside of the project, with one file per subject. A file contains the
complete contents, so that later changes can be shown.
*/
export type TrustStore = {
	/** Returns the last trusted contents, or `undefined` if there are none or the file is invalid. */
	read(subject: TrustSubject): Promise<readonly TrustContent[] | undefined>;
	/** Saves contents. Resolves with a sentence if that failed. */
	write(subject: TrustSubject, contents: readonly TrustContent[]): Promise<string | undefined>;
};

/** Opens the store of a project: `trust/<project>/` in the state folder. `pwd` is a real path. */
export async function openTrustStore(env: Env, pwd: string): Promise<TrustStore> {
	const folder = projectDir(join(stateHome(env), 'trust'), pwd);
	if (await isInProject(folder, pwd, env)) return unavailableStore(folder);
	return {
		async read(subject) {
			const record = await readRecord(fileOf(folder, subject));
			return record?.project === pwd &&
				record.kind === subject.kind &&
				record.name === subject.name &&
				hashContents(record.contents) === record.sha256
				? record.contents
				: undefined;
		},
		async write(subject, contents) {
			const record: TrustRecord = {
				version: 1,
				project: pwd,
				...subject,
				sha256: hashContents(contents),
				contents: [...contents],
			};
			const file = fileOf(folder, subject);
			try {
				await writePrivateFile(file, `${JSON.stringify(record)}\n`);
				return undefined;
			} catch (error) {
				return trustTexts.notSaved(failureSentence(failureOf(error), file, error));
			}
		},
	};
}

/** The subject of a trust question, for example the kind `workflow` and the name `review`. */
export type TrustSubject = {readonly kind: string; readonly name: string};

/** One file or other text that the user can trust. */
export type TrustContent = {readonly name: string; readonly text: string};

/** Returns the hash of names and texts in order, in hex. The user's trust applies to this hash. */
export function hashContents(contents: readonly TrustContent[]): string {
	return createHash('sha256')
		.update(JSON.stringify(contents.map(({name, text}) => [name, text])))
		.digest('hex');
}

/**
Returns the details of a trust question: all contents, or the changes since the trusted version. The details are
untrusted text.
*/
export async function trustDetail(
	contents: readonly TrustContent[],
	earlier: readonly TrustContent[] | undefined,
): Promise<string> {
	if (earlier === undefined) return contents.map(fullText).join('\n\n');
	const before = new Map(earlier.map(({name, text}) => [name, text]));
	const after = new Set(contents.map(({name}) => name));
	const gone = earlier.filter(({name}) => !after.has(name)).map(({name}) => trustTexts.removed(name));
	const changes = await Promise.all(contents.map(async content => changeOf(content, before.get(content.name))));
	return [trustTexts.changes, ...changes, ...gone].join('\n\n');
}

type TrustRecord = z.infer<typeof recordSchema>;

const recordSchema = z.object({
	version: z.literal(1),
	project: z.string(),
	kind: z.string(),
	name: z.string(),
	sha256: z.string(),
	contents: z.array(z.object({name: z.string(), text: z.string()})),
});

function unavailableStore(folder: string): TrustStore {
	return {
		read: async () => undefined,
		write: async () => trustTexts.storeInProject(folder),
	};
}

function fileOf(folder: string, {kind, name}: TrustSubject): string {
	return join(
		folder,
		`${createHash('sha256')
			.update(JSON.stringify([kind, name]))
			.digest('hex')
			.slice(0, 32)}.json`,
	);
}

const maxRecordBytes = 64 * 1024 * 1024;

async function readRecord(file: string): Promise<TrustRecord | undefined> {
	return recordSchema.safeParse(await readPrivateJson(file, maxRecordBytes)).data;
}

function fullText({name, text}: TrustContent): string {
	return trustTexts.whole(name, text.trimEnd());
}

/**
The maximum number of milliseconds of a comparison. If a comparison takes longer, the texts are too different for a
diff.
*/
const diffTimeout = 500;

async function changeOf(content: TrustContent, before: string | undefined): Promise<string> {
	if (before === undefined) return trustTexts.added(content.name, content.text.trimEnd());
	if (before === content.text) return trustTexts.unchanged(content.name);
	const {createTwoFilesPatch} = await import('diff');
	const patch = createTwoFilesPatch('trusted', 'current', before, content.text, undefined, undefined, {
		context: 3,
		timeout: diffTimeout,
	});
	if (patch === undefined) return trustTexts.tooManyChanges(content.name, content.text.trimEnd());
	// The patch begins with a line of equals signs and the two names, which are not needed here.
	return `${content.name}:\n${patch
		.split('\n')
		.filter((line, index) => index > 2 || !/^(?:=+|--- .*|\+\+\+ .*)$/.test(line))
		.join('\n')
		.trimEnd()}`;
}
