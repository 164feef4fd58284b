import {createHash} from 'node:crypto';
import {inertLine, inertText} from './inert-text.ts';
import {parametersOf} from './parameters.ts';
import type {Listed} from './connection.ts';
import {toolProblems, toolRemarks} from './texts.ts';

/** A tool of a server that a request may contain. `listed` is the name under which the server lists it. */
export type UsableTool = {
	readonly listed: string;
	readonly description: string;
	readonly parameters: Readonly<Record<string, unknown>>;
};

/** The maximum number of tools of a server. */
const maxTools = 128;
const maxDescription = 2048;

/**
Returns the tools that requests may contain, by name. `remarks` explain why others are left out, as ends of sentences
about the server.
*/
export function filterTools({tools: listed, isCut}: Listed): {
	readonly tools: readonly UsableTool[];
	readonly remarks: readonly string[];
} {
	const found = new Map<string, UsableTool>();
	const remarks: string[] = [];
	const leave = (name: string, problem: string) => void remarks.push(toolRemarks.leftOut(shownName(name), problem));
	for (const {name, description, inputSchema} of listed) {
		const read = parametersOf(inputSchema);
		if (found.has(name)) leave(name, toolProblems.sameName);
		else if (name.trim() === '' || name.length > 256) leave(name, toolProblems.badName);
		else if (!read.ok) leave(name, read.problem);
		else if (found.size >= maxTools) leave(name, toolProblems.tooMany(maxTools));
		else
			found.set(name, {
				listed: name,
				description: inertText(description ?? '', maxDescription),
				parameters: read.parameters,
			});
	}
	const more = remarks.length - maxRemarks;
	return {
		tools: [...found.values()].toSorted((a, b) => Number(a.listed > b.listed) - Number(a.listed < b.listed)),
		remarks: [
			...remarks.slice(0, maxRemarks),
			...(more <= 0 ? [] : [toolRemarks.more(more)]),
			...(isCut ? [toolRemarks.listTooLong] : []),
		],
	};
}

const maxRemarks = 8;

/** Returns a tool's name on one line of a sentence. */
function shownName(name: string): string {
	return JSON.stringify(inertLine(name, 80));
}

/** The maximum length of a tool's name that every provider accepts. */
const maxName = 64;

/**
Returns the tools' names for the model, in the same order: `mcp__server__tool`, each once. An illegal character becomes
an underscore. A name that is too long or taken ends in a hash, so the first server has the plain name.
*/
export function offeredNames(
	tools: ReadonlyArray<{readonly server: string; readonly listed: string}>,
): readonly string[] {
	const taken = new Set<string>();
	return tools.map(({server, listed}) => {
		const plain = `mcp__${serverPart(server)}__${legal(listed)}`;
		const name =
			plain.length <= maxName && !taken.has(plain)
				? plain
				: `${plain.slice(0, maxName - 9)}_${hashOf(server, listed)}`;
		taken.add(name);
		return name;
	});
}

/**
Returns a server's part of its tools' names. It never contains two underscores in a row, because rules distinguish
servers by their names. So the tools of one server cannot be taken for those of another.
*/
export function serverPart(name: string): string {
	return legal(name).replaceAll(/_+/g, '_').replaceAll(/^_|_$/g, '') || hashOf(name);
}

function legal(text: string): string {
	return text.replaceAll(/[^\w-]/g, '_');
}

function hashOf(...parts: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8);
}
