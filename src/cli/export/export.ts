import {resolve, extname} from 'node:path';
import {
	familySpending,
	historyBytes,
	modelFacts,
	noExportContext,
	readExportContext,
	readStoredSession,
	totalCost,
	type ExportContext,
	type StoredSession,
	type StoredSessionOptions,
	type Env,
} from '../../pod/index.ts';
import type {Cost} from '../../pod/protocol.ts';
import {loadHighlight} from '../../screen/markdown/highlight.ts';
import {formatBytes} from '../../text/formats.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {inertJsonText} from '../output/output.ts';
import type {Output} from '../sessions.ts';
import {destinationProblem, writeWhole} from './destination.ts';
import {factsOf} from './facts.ts';
import {htmlOf} from './html.ts';
import {markdownOf} from './markdown.ts';
import {partsOf, type ExportedEnd} from './parts.ts';
import {imagesStay, notWritten, redactedLines, written, unknownFormat} from './texts.ts';
import {withoutSecrets, withSecrets, type Exported} from './without-secrets.ts';

export type ExportFormat = 'md' | 'html' | 'json';

type ExportCommandOptions = StoredSessionOptions & {
	readonly format: ExportFormat;
	/** The file to write. If it is absent, the export goes to stdout. */
	readonly to?: string | undefined;
	/** Whether the export keeps secrets. */
	readonly exact: boolean;
	/** Whether an existing file is replaced. */
	readonly force: boolean;
	readonly stdout: Output & {readonly isTTY?: boolean};
	readonly stderr: Output;
};

/**
Implements `inkpod export <id>`: writes a session as Markdown, HTML or JSON. It only reads the session. Unless `exact`
is set, secrets are left out and listed on stderr. The exit code is 0, 1 for a failure, or 2 for bad usage or
configuration.
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
	const warn = (sentence: string) => void stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
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
	const whole = await ownOf(session, format);
	const shown = exact ? withSecrets(session, whole) : withoutSecrets(session, whole, format !== 'json');
	const {exportContext, found} = shown;
	const cost = totalCost(await familySpending(session, await modelFacts(wanted.env)));
	if (format === 'html') await loadHighlight();
	const bytes = exported(format, shown, cost);
	if (to === undefined) {
		const text = bytes.toString('utf8');
		// On a terminal the JSON is escaped. Elsewhere its bytes are those that the hash chain covers.
		stdout.write(format === 'json' && stdout.isTTY === true ? inertJsonText(text) : text);
	} else {
		const problem = await writeWhole(resolve(wanted.cwd ?? '.', to), bytes, force);
		if (problem !== undefined) {
			warn(notWritten(to, problem));
			return 1;
		}
		warn(written(to, formatBytes(bytes.length)));
	}
	for (const line of found === undefined ? [] : redactedLines(found)) warn(line);
	const images = exact ? 0 : imagesIn(exportContext);
	if (images > 0) warn(imagesStay(images));
	return 0;
}

/** Implements `/export [FILE]`. The extension of the file's name chooses the format. */
export async function exportFromChat(
	file: string,
	{force = false, cwd, ...session}: ExportFromChat,
): Promise<ChatExport> {
	const to = file === '' ? `inkpod-${session.id}.md` : file;
	const format = formatOf(to);
	if (format === undefined) return {ok: false, sentence: unknownFormat};
	const refused = await destinationProblem(resolve(cwd, to), {force, env: session.env});
	if (refused?.reason === 'exists') return {ok: false, sentence: refused.sentence, exists: true};
	const lines: string[] = [];
	const stderr = {write: (text: string) => lines.push(text.replace(/^inkpod: /, '').trimEnd())};
	const stdout = {write: () => true};
	const code = await exportSession({...session, cwd, format, to, exact: false, force, stdout, stderr});
	return {ok: code === 0, sentence: lines.filter(line => !line.startsWith(' ')).join(' ')};
}

async function ownOf(session: StoredSession, format: ExportFormat): Promise<ExportContext> {
	return format === 'json' ? noExportContext : readExportContext(session, {hasImages: format === 'html'});
}

function exported(format: ExportFormat, {session, exportContext, found, waiting}: Exported, cost: Cost): Buffer {
	if (format === 'json') return jsonOf(session, waiting, found?.count ?? 0);
	const facts = factsOf(session, found, cost);
	const parts = partsOf(session.items, exportContext, {streamed: session.open.streamed, waiting});
	return Buffer.from(format === 'md' ? markdownOf(facts, parts) : htmlOf(facts, parts));
}

function imagesIn({images, conversations}: ExportContext): number {
	return [...conversations.values()].reduce((sum, each) => sum + ('items' in each ? imagesIn(each) : 0), images.size);
}

/**
Returns the session as JSON. If the export contains more than the history, its header says so and contains the queued
messages.
*/
function jsonOf(
	{id, cwd, created, decoded, items, open}: StoredSession,
	waiting: ExportedEnd['waiting'],
	count: number,
): Buffer {
	const unfinished = open.streamed.length + waiting.length > 0 ? {waiting} : undefined;
	const header = {session: id, cwd, created, fork: decoded.header.fork, unfinished};
	return historyBytes(header, items, count === 0 ? decoded.header.redacted : {count, originalHead: decoded.sum});
}

type ExportFromChat = {
	/** The id of the session. */
	readonly id: string;
	/** The session's folder, if it is known. */
	readonly dir?: string;
	readonly env: Env;
	/** The working directory of the chat. A relative file is below it. */
	readonly cwd: string;
	/** Whether an existing file is replaced. */
	readonly force?: boolean;
};

/**
The result of an export. `sentence` says what was written and left out, or why nothing was written. `exists`: the file
already exists.
*/
type ChatExport = {readonly ok: boolean; readonly sentence: string; readonly exists?: true};

function formatOf(file: string): ExportFormat | undefined {
	return formats.get(extname(file).toLowerCase());
}

const formats: ReadonlyMap<string, ExportFormat> = new Map([
	['.md', 'md'],
	['.html', 'html'],
	['.htm', 'html'],
	['.json', 'json'],
]);
