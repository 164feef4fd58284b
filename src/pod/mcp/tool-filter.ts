import {createHash} from 'node:crypto';
import {inertLine, inertText} from './inert-text.ts';
import {parametersOf} from './parameters.ts';
import type {Listed} from './connection.ts';

/** A tool of a server that a request can hold. `listed`: what the server calls it. */
export type UsableTool = {
	readonly listed: string;
	readonly description: string;
	readonly parameters: Readonly<Record<string, unknown>>;
};

/** Of one server. */
const maxTools = 128;
const maxDescription = 2048;

/**
The tools of a list that can be offered, by name, and what was left out and why, as ends of a sentence about the server.
*/
export function filterTools({tools: listed, isCut}: Listed): {
	readonly tools: readonly UsableTool[];
	readonly remarks: readonly string[];
} {
	const found = new Map<string, UsableTool>();
	const remarks: string[] = [];
	const leave = (name: string, problem: string) =>
		void remarks.push(`its tool ${shownName(name)} is left out: ${problem}`);
	for (const {name, description, inputSchema} of listed) {
		const read = parametersOf(inputSchema);
		if (found.has(name)) leave(name, 'there is another of that name');
		else if (name.trim() === '' || name.length > 256) leave(name, 'its name is empty or too long');
		else if (!read.ok) leave(name, read.problem);
		else if (found.size >= maxTools) leave(name, `only ${maxTools} tools of a server are taken`);
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
			...(more <= 0 ? [] : [`${more} more of its tools are left out`]),
			...(isCut ? ['it lists more tools than inkpod reads'] : []),
		],
	};
}

const maxRemarks = 8;

/** A tool's name on one line of a sentence. */
export function shownName(name: string): string {
	return JSON.stringify(inertLine(name, 80));
}

/** Longest name of a tool that every provider takes. */
const maxName = 64;

/**
The names under which tools are offered, in their order: `mcp__server__tool`, each once. What is not legal in a name is
an underscore; what is too long or taken ends in a hash, so of two servers the first has the plain name.
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
A server's part of its tools' names. It holds no two underscores, so that no server's tools look like those of another:
rules and answers are about names.
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
