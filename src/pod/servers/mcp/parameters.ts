import {hasUndrawn, inertText} from './inert-text.ts';
import {toolProblems} from './texts.ts';
import {isRecord} from '../../ground/values/is-record.ts';

/**
A server's input schema in the form for requests, or the reason for a failure as the end of a sentence about the tool.
*/
type Parameters =
	| {readonly ok: true; readonly parameters: Readonly<Record<string, unknown>>}
	| {readonly ok: false; readonly problem: string};

const maxBytes = 32_768;
const maxNodes = 8192;
const maxDepth = 32;

/**
Returns an input schema whose descriptions have no invisible characters. It fails if the schema is too large, if a
provider would refuse the whole request, or if another text in it has invisible characters: a value must stay as it is.
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
	// JSON escapes none of these characters.
	return hasUndrawn(JSON.stringify(shown)) ? failed(toolProblems.invisible) : {ok: true, parameters: shown};
}

/** The members that only describe. */
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

/** Returns the references within a value, or the reason why its form is wrong. */
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

/** Returns the problem of a reference. It must lead to another place of the same schema, and never back to itself. */
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

/** Returns the value that a JSON pointer after `#` names. */
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
