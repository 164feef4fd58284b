import {extname, resolve} from 'node:path';
import type {Env} from '../../pod/index.ts';
import {destinationProblem} from './destination.ts';
import {exportSession, type ExportFormat} from './export.ts';
import {unknownFormat} from './texts.ts';

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

/** `sentence` says what was written and left out, or why nothing was written. `exists`: the file already exists. */
type ChatExport = {readonly ok: boolean; readonly sentence: string; readonly exists?: true};

/** Implements `/export [FILE]`. The end of the file's name chooses the format. */
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

function formatOf(file: string): ExportFormat | undefined {
	return formats.get(extname(file).toLowerCase());
}

const formats: ReadonlyMap<string, ExportFormat> = new Map([
	['.md', 'md'],
	['.html', 'html'],
	['.htm', 'html'],
	['.json', 'json'],
]);
