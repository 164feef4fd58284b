import {addServer, findProject, inspectMcp, ownersOf, removeServer, type Env} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {pad} from '../../text/width.ts';
import {columnWidths} from '../output/output.ts';
import {inertJson} from '../output/output.ts';
import type {Output} from '../sessions.ts';
import type {McpAction} from '../start/launch.ts';
import {t} from '../../language/index.ts';

type Outputs = {readonly env: Env; readonly stdout: Output; readonly stderr: Output};

type Change = Extract<McpAction, {kind: 'add' | 'remove'}>;

/** Implements `inkpod mcp add` and `inkpod mcp remove`. Returns the exit code. */
export async function changeServers(change: Change & Outputs): Promise<number> {
	const {env, stdout, stderr, name, isProject} = change;
	const found = await findProject(change, env);
	if (!found.ok) return refuse(stderr, found.sentence);
	const place = {pwd: found.manifest.pwd, env, isProject};
	const edited = change.kind === 'add' ? await addServer(name, change.entry, place) : await removeServer(name, place);
	if (!edited.ok) return refuse(stderr, edited.sentence);
	const say = change.kind === 'add' ? mcpTexts.added : mcpTexts.removed;
	stdout.write(`${sanitizeLine(say(name, edited.file))}\n`);
	if (change.kind === 'add' && isProject) stdout.write(`${mcpTexts.asksFirst}\n`);
	return 0;
}

/**
Implements `inkpod mcp list`: lists the servers that the files define. It does not start them. Returns the exit code.
*/
export async function listServers(options: Extract<McpAction, {kind: 'list'}> & Outputs): Promise<number> {
	const {env, stdout, stderr, json} = options;
	const found = await findProject(options, env);
	if (!found.ok) return refuse(stderr, found.sentence);
	const {entries, broken, problems, remarks} = await inspectMcp(
		found.manifest.pwd,
		env,
		ownersOf(env, [], {place: options}),
	);
	for (const sentence of [...problems, ...remarks]) stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	if (json) {
		const all = [
			...entries.map(({name, source, file, target, start}) => ({
				name,
				source,
				file,
				transport: start.transport,
				target,
			})),
			...broken,
		];
		stdout.write(`${inertJson(all, 2)}\n`);
		return 0;
	}
	const rows = [
		...entries.map(({name, source, target}) => [name, ofSource(source), target]),
		...broken.map(({name, sentence}) => [name, mcpTexts.broken, sentence]),
	].map(cells => cells.map(sanitizeLine));
	stdout.write(rows.length === 0 ? `${mcpTexts.none}\n` : table(rows));
	return 0;
}

export const mcpTexts = {
	added: (name: string, file: string) => t`Added ${name} to ${file}.`,
	asksFirst: t`This is a server of the project: before the start, inkpod shows its whole entry and asks whether you
		trust it.`,
	removed: (name: string, file: string) => t`Removed ${name} from ${file}.`,
	none: t`No MCP servers. Add one with: inkpod mcp add NAME -- COMMAND`,
	fromProject: t`project`,
	fromUser: t`yours`,
	trustIt: t`Trust it? Type y for yes, anything else for no: `,
	broken: t`broken`,
} as const;

function ofSource(source: string): string {
	return source === 'project' ? mcpTexts.fromProject : mcpTexts.fromUser;
}

function table(rows: ReadonlyArray<readonly string[]>): string {
	const widths = columnWidths(rows, 2);
	return rows
		.map(
			cells =>
				`${cells
					.map((cell, column) => pad(cell, widths[column] ?? 0))
					.join('  ')
					.trimEnd()}\n`,
		)
		.join('');
}

function refuse(stderr: Output, sentence: string): number {
	stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	return 2;
}
