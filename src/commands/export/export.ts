import {inLanguage} from '../../language/index.ts';
import {resolve} from 'node:path';
import {
	historyBytes,
	noBelongings,
	readBelongings,
	readStoredSession,
	redactItems,
	type Belongings,
	type FoundSecret,
	type StoredSession,
	type StoredSessionOptions,
} from '../../pod/index.ts';
import type {Item} from '../../pod/protocol.ts';
import {formatBytes} from '../../tui/text/formats.ts';
import {sanitizeLine} from '../../tui/text/sanitize.ts';
import type {Output} from '../sessions.ts';
import {destinationProblem, writeWhole} from './destination.ts';
import {factsOf} from './facts.ts';
import {htmlOf} from './html.ts';
import {markdownOf} from './markdown.ts';
import {partsOf} from './parts.ts';
import {imagesStay, notWritten, redactedLines, written} from './texts.ts';

export type ExportFormat = 'md' | 'html' | 'json';

export type ExportCommandOptions = StoredSessionOptions & {
	readonly format: ExportFormat;
	/** The file to write. Without one, the export goes to stdout. */
	readonly to?: string | undefined;
	/** Whether secrets stay. */
	readonly exact: boolean;
	/** Whether an existing file is replaced. */
	readonly force: boolean;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod export <id>`: writes a session as Markdown, HTML or JSON. It only reads the session. Secrets are left
out and listed on stderr, unless `exact`. The exit code is 0, 1 for a failure, or 2 for bad usage or configuration.
*/
export async function exportSession({
	format,
	to,
	exact,
	force,
	stdout,
	stderr,
	...wanted
}: ExportCommandOptions): Promise<number> {
	const warn = (sentence: string) => void stderr.write(`inkpod: ${sanitizeLine(inLanguage(sentence))}\n`);
	const refused =
		to === undefined ? undefined : await destinationProblem(resolve(wanted.cwd ?? '.', to), {force, ...wanted});
	if (refused !== undefined) {
		warn(refused.sentence);
		return 2;
	}
	const stored = await readStoredSession(wanted);
	if (!stored.ok) {
		warn(stored.sentence);
		return stored.code;
	}
	const {session} = stored;
	const found: FoundSecret[] | undefined = exact ? undefined : [];
	const prepare = (all: readonly Item[]) => (found === undefined ? all : withoutSecrets(all, found));
	const items = prepare(session.items);
	const belongings =
		format === 'json' ? noBelongings : await readBelongings(session, {hasImages: format === 'html', prepare});
	const bytes = exported(format, session, {items, belongings, found});
	if (to === undefined) stdout.write(bytes.toString('utf8'));
	else {
		const problem = await writeWhole(resolve(wanted.cwd ?? '.', to), bytes, force);
		if (problem !== undefined) {
			warn(notWritten(to, problem));
			return 1;
		}
		warn(written(to, formatBytes(bytes.length)));
	}
	for (const line of redactedLines(found ?? [])) warn(line);
	const images = exact ? 0 : imagesIn(belongings);
	if (images > 0) warn(imagesStay(images));
	return 0;
}

function withoutSecrets(items: readonly Item[], found: FoundSecret[]): readonly Item[] {
	const redacted = redactItems(items);
	found.push(...redacted.found);
	return redacted.items;
}

type Exported = {
	readonly items: readonly Item[];
	readonly belongings: Belongings;
	readonly found: readonly FoundSecret[] | undefined;
};

function exported(format: ExportFormat, session: StoredSession, {items, belongings, found}: Exported): Buffer {
	if (format === 'json') return jsonOf(session, items, found);
	const facts = factsOf(session, found);
	const parts = partsOf(items, belongings);
	return Buffer.from(format === 'md' ? markdownOf(facts, parts) : htmlOf(facts, parts));
}

function imagesIn({images, conversations}: Belongings): number {
	return [...conversations.values()].reduce((sum, each) => sum + ('items' in each ? imagesIn(each) : 0), images.size);
}

function jsonOf(
	{id, cwd, created, decoded}: StoredSession,
	items: readonly Item[],
	found: readonly FoundSecret[] = [],
): Buffer {
	const count = found.reduce((sum, one) => sum + one.count, 0);
	const header = {session: id, cwd, created, fork: decoded.header.fork};
	return historyBytes(header, items, count === 0 ? decoded.header.redacted : {count, originalHead: decoded.sum});
}
