import {createHash} from 'node:crypto';
import {inertLine, inertText, hasUndrawn} from './scrubber.ts';
import type {Listed} from './connection.ts';
import {toolProblems, toolRemarks} from './texts.ts';
import {isRecord} from '../../ground/values/is-record.ts';

/** A tool of a server that a request may contain. `listed` is the name of the tool in the server's list. */
export type UsableTool = {
	readonly listed: string;
	readonly description: string;
	readonly parameters: Readonly<Record<string, unknown>>;
};

/** The maximum number of tools of a server. */
const maxTools = 512;

const maxDescription = 2048;

/**
Returns the tools that requests may contain, sorted by name. `remarks` explain why other tools are left out, as ends of
sentences about the server.
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

/** Returns a tool's name in quotes and on one line, for a sentence. */
function shownName(name: string): string {
	return JSON.stringify(inertLine(name, 80));
}

/** The maximum length of a tool's name that every provider accepts. */
const maxName = 64;

/**
Returns unique names of the tools for the model, in the same order: `mcp__server__tool`. An underscore replaces each
illegal character. A name that is too long or already taken gets a hash at its end, so the first server keeps the plain
name.
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
Returns the part of the tools' names that identifies the server. The result never contains two underscores in a row. So
a rule for the tools of one server never matches the tools of another server.
*/
export function serverPart(name: string): string {
	return legal(name).replaceAll(/_+/g, '_').replaceAll(/^_|_$/g, '') || hashOf(name);
}

/**
Returns an input schema whose descriptions have no invisible characters. Fails if the schema is too large, or if a
provider would refuse a request with it. Also fails if another text in the schema has invisible characters, because
inkpod must not change values.
*/
export function parametersOf(schema: unknown): Parameters {
	if (!isRecord(schema)) return failed(toolProblems.notAnObject);
	const {$schema: _, ...rest} = schema;
	const parameters: Record<string, unknown> = {type: 'object', ...rest};
	if (parameters['type'] !== 'object') return failed(toolProblems.notOfTypeObject);
	const {properties, required} = parameters;
	if (properties !== undefined && !isRecord(properties)) return failed(toolProblems.badProperties);
	if (required !== undefined && !(Array.isArray(required) && required.every(name => typeof name === 'string')))
		return failed(toolProblems.badRequired);
	const walked = walk(parameters);
	if (typeof walked === 'string') return failed(walked);
	if (Object.keys(properties ?? {}).some(name => !/^[\w.-]{1,64}$/.test(name)))
		return failed(toolProblems.badPropertyName);
	if (['oneOf', 'anyOf', 'allOf'].some(key => Object.hasOwn(parameters, key)))
		return failed(toolProblems.choiceAtTop);
	if (Buffer.byteLength(JSON.stringify(parameters)) > maxBytes) return failed(toolProblems.tooLong(maxBytes));
	const problem = refProblem(parameters);
	if (problem !== undefined) return failed(problem);
	const shown = withInertNotes(parameters);
	// JSON does not escape these characters, so the search finds them.
	return hasUndrawn(JSON.stringify(shown)) ? failed(toolProblems.invisible) : {ok: true, parameters: shown};
}

function legal(text: string): string {
	return text.replaceAll(/[^\w-]/g, '_');
}

function hashOf(...parts: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8);
}

/**
A server's input schema in the form for requests, or the reason for a failure as the end of a sentence about the tool.
*/
type Parameters =
	| {readonly ok: true; readonly parameters: Readonly<Record<string, unknown>>}
	| {readonly ok: false; readonly problem: string};

const maxBytes = 32_768;

const maxNodes = 8192;

const maxDepth = 32;

/** The schema keywords that only describe. */
const notes: ReadonlySet<string> = new Set(['title', 'description', 'markdownDescription', '$comment']);

function withInertNotes(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	const text = JSON.stringify(schema, (key, value: unknown) =>
		typeof value === 'string' && notes.has(key) ? inertText(value, maxBytes) : value,
	);
	const shown: unknown = JSON.parse(text);
	return isRecord(shown) ? shown : {};
}

function failed(problem: string): Parameters {
	return {ok: false, problem};
}

/** Returns all `$ref` references in a value, or the reason why the value is not allowed. */
function walk(root: unknown): readonly string[] | string {
	const open: Array<{readonly value: unknown; readonly depth: number}> = [{value: root, depth: 0}];
	const refs: string[] = [];
	for (let nodes = 0, next = open.pop(); next !== undefined; nodes++, next = open.pop()) {
		const {value, depth} = next;
		if (typeof value !== 'object' || value === null) continue;
		if (depth > maxDepth || nodes > maxNodes) return toolProblems.tooDeep;
		for (const [key, child] of Object.entries(value)) {
			if (key === '__proto__') return toolProblems.prototype;
			if (key === '$ref' && typeof child === 'string') refs.push(child);
			open.push({value: child, depth: depth + 1});
		}
	}
	return refs;
}

/**
Returns the problem of the first bad reference. Each reference must lead to a place in the same schema, without a cycle.
*/
function refProblem(root: Readonly<Record<string, unknown>>): string | undefined {
	const done = new Set<string>();
	const visit = (ref: string, above: readonly string[]): string | undefined => {
		if (above.includes(ref)) return toolProblems.cycle;
		if (done.has(ref)) return undefined;
		const target = resolved(root, ref);
		if (target === undefined) return toolProblems.deadReference;
		const refs = walk(target);
		const problem =
			typeof refs === 'string'
				? refs
				: refs.map(inner => visit(inner, [...above, ref])).find(found => found !== undefined);
		done.add(ref);
		return problem;
	};
	return visit('#', []);
}

/** Returns the value at a JSON pointer after `#`. */
function resolved(root: unknown, ref: string): unknown {
	if (ref !== '#' && !ref.startsWith('#/')) return undefined;
	let here = root;
	for (const part of ref.split('/').slice(1)) {
		const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
		if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
		here = (here as Record<string, unknown>)[key];
	}
	return here;
}
