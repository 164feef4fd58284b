import {en, enCount} from '../../../language/index.ts';
import {z} from 'zod';
import {
	cutText,
	defineTool,
	type Tool,
	type ToolInspection,
	type ToolMoved,
	type ToolOutput,
} from '../../../worker/index.ts';
import {resolveTarget} from '../../scope/locate.ts';
import type {Scope} from '../../scope/scope.ts';
import {createFindings, type GrepOutput} from './walk.ts';
import {compileGlob} from '../../ground/globs/glob-pattern.ts';
import {searchBuiltin} from './grep-builtin.ts';
import type {SearchEngine} from './grep-search.ts';
import {failureOutput} from '../files/failures.ts';
import {errorOutput} from '../../ground/values/is-record.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import {searchRootOf} from './search-root.ts';
import {grepFacts} from '../../protocol/tool-definitions.ts';
import {searchUntilStable, movedSentence} from './search-root.ts';

type GrepOptions = {
	readonly scope: Scope;
	readonly maxOutputBytes: number;
	/** The search engine. By default it is the built-in one. */
	readonly engine?: SearchEngine | undefined;
};

/** Creates the tool that searches file contents. It skips files that look like secrets, and its result names them. */
export function grepTool(options: GrepOptions): Tool {
	const texts = grepFacts.arguments;
	return defineTool({
		...grepFacts,
		input: z.object({
			pattern: z.string().min(1).max(4000).describe(texts.pattern),
			path: z.string().min(1).optional().describe(texts.path),
			glob: z.string().min(1).optional().describe(texts.glob),
			output: z.enum(['content', 'files', 'count']).default('content'),
			context: z.number().int().min(0).max(20).default(0),
			limit: z.number().int().min(1).max(1000).default(200),
		}),
		target: async ({path = '.'}) => resolveTarget(options.scope, path),
		execute: async (args, call) => search(args, call, options),
	});
}

type Arguments = {
	readonly pattern: string;
	readonly path?: string | undefined;
	readonly glob?: string | undefined;
	readonly output: GrepOutput;
	readonly context: number;
	readonly limit: number;
};

/** The number of bytes that a result reserves for its notes. */
const notesBytes = 1024;

async function search(
	args: Arguments,
	{target, signal}: ToolInspection,
	options: GrepOptions,
): Promise<ToolOutput | ToolMoved> {
	const {pattern, path = '.', glob, ...wanted} = args;
	const {scope, maxOutputBytes, engine = searchBuiltin} = options;
	if (/[\n\0]/.test(pattern))
		return errorOutput(en`The pattern contains a line break or a NUL, but lines are searched one by one.
			Use a pattern for a single line.`);
	const filter =
		glob === undefined
			? undefined
			: compileGlob(glob.startsWith(`${scope.pwd}/`) ? glob.slice(scope.pwd.length) : glob);
	if (filter?.ok === false) return errorOutput(filter.message);
	const accepts = filter === undefined ? () => true : filter.matches;
	const found = await searchUntilStable(async (since, isLast) => {
		const start = await searchRootOf(scope, path, target);
		if (start === 'elsewhere' || !start.ok) return start;
		const findings = createFindings(wanted);
		// The last attempt uses the engine that opens each file through the scope.
		const end = await (isLast ? searchBuiltin : engine)(
			{scope, pattern, start, accepts, signal, since, ...wanted},
			findings,
		);
		return end === 'moved' ? end : {ok: true as const, end, findings};
	}, signal);
	if (found === 'elsewhere') return 'moved';
	if (found === 'moved') return errorOutput(en`${onOneLine(path)}: ${movedSentence}`);
	if (!found.ok) return failureOutput(found.reason, onOneLine(path));
	const {end, findings} = found;
	if (!end.ok) return errorOutput(end.message);
	const {summary, rows} = findings.result(Math.max(maxOutputBytes - notesBytes, notesBytes));
	const notes = [...end.notes, ...(end.secrets.length === 0 ? [] : [secretsNote(end.secrets)])];
	const caveats = [
		...(end.secrets.length === 0 ? [] : [en`${enCount(end.secrets.length, 'secret-looking file')} left out`]),
		...end.notes,
	];
	return {
		summary: caveats.length === 0 ? summary : en`${summary} (${caveats.join('; ')})`,
		content: [...rows, ...notes.map(note => `[${note}]`)].join('\n'),
	};
}

function secretsNote(secrets: readonly string[]): string {
	const named = secrets.slice(0, 5).map(path => onOneLine(cutText(path, 120).text));
	const more = secrets.length > named.length ? ` and ${secrets.length - named.length} more` : '';
	const names = `${named.join(', ')}${more}`;
	return en`left out, because they look like secrets: ${names}`;
}
