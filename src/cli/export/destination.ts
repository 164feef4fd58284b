import {lstat, open, realpath, rename, rm} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {
	errorCode,
	failureOf,
	stateHome,
	type StoredSessionOptions,
	type FoundSecrets,
	type StoredSession,
} from '../../pod/index.ts';
import {exists, inState, exportTexts, head, leftOut} from './texts.ts';
import type {Cost} from '../../pod/protocol.ts';
import {formatCost} from '../../text/formats.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {openEndWords} from '../texts.ts';

/** The reason why a file must not be written. */
type DestinationProblem = {readonly reason: 'exists' | 'in_state'; readonly sentence: string};

/** Returns why a file must not be written. */
export async function destinationProblem(
	file: string,
	{force, env}: {readonly force: boolean; readonly env: StoredSessionOptions['env']},
): Promise<DestinationProblem | undefined> {
	const [folder, state] = await Promise.all([realOf(dirname(file)), realOf(stateHome(env))]);
	if (`${folder}/`.startsWith(`${state}/`)) return {reason: 'in_state', sentence: inState(file)};
	const known = await lstat(file).catch(() => undefined);
	return known === undefined || force ? undefined : {reason: 'exists', sentence: exists(file)};
}

async function realOf(path: string): Promise<string> {
	return realpath(path).catch(() => path);
}

/**
Writes a file that only the user can read. It writes to another name first. Without `force` it does not replace a file.
*/
export async function writeWhole(
	file: string,
	bytes: Buffer | AsyncIterable<Uint8Array>,
	force: boolean,
): Promise<string | undefined> {
	const path = force ? join(dirname(file), `.${basename(file)}.${process.pid}.tmp`) : file;
	try {
		const handle = await open(path, 'wx', 0o600);
		try {
			await handle.writeFile(bytes);
		} finally {
			await handle.close();
		}
		if (force) await rename(path, file);
		return undefined;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		if (errorCode(error) !== 'EEXIST') await rm(path, {force: true});
		return failureOf(error) + (errorCode(error) === '' ? '' : ` (${errorCode(error)})`);
	}
}

/** The facts about the session on an exported page, as names and inert values. */
export type ExportFacts = {readonly rows: ReadonlyArray<readonly [name: string, value: string]>};

/**
`found`: the left-out secrets, or `undefined` in an exact export. `cost`: the cost of the session with its children,
compactions and side questions.
*/
export function factsOf(
	{id, cwd, created, items, open, decoded}: StoredSession,
	found: FoundSecrets | undefined,
	cost: Cost,
): ExportFacts {
	const line = decoded.lines.at(-1)?.line ?? 1;
	return {
		rows: [
			[exportTexts.session, id],
			[exportTexts.directory, sanitizeLine(cwd)],
			[exportTexts.created, sanitizeLine(created)],
			[exportTexts.items, String(items.length)],
			...(open.isUnfinished ? [[exportTexts.state, openEndWords(open)] as const] : []),
			...(cost.known > 0 ? [[exportTexts.cost, formatCost(cost)] as const] : []),
			[exportTexts.head, head(decoded.sum, line)],
			[exportTexts.redactions, found === undefined ? exportTexts.exactNote : leftOut(found)],
		],
	};
}
