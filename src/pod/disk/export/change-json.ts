/** Returns the changed text. `isPart`: whether the text is only a part of a text that was searched. */
export type Change = (text: string, isPart?: boolean) => string;

/**
Changes a JSON text. A text that is not JSON may change in any way. JSON keeps its members, but JSON that is nested too
deep and would not remain JSON becomes one string.
*/
export function changeJson(text: string, change: Change): string {
	const next = change(text);
	const value = next === text ? undefined : parsed(text);
	if (typeof value !== 'object' || value === null) return next;
	const read = parsed(next);
	if (isDeep(value)) return read === undefined ? JSON.stringify(next) : next;
	return hasShapeOf(value, read, change) ? next : JSON.stringify(changeMembers(value, change, maxDepth));
}

/**
Changes a value. An object is changed as JSON, and keeps its members. `depth`: how many levels are changed separately if
the JSON does not keep its members. What is deeper becomes one string.
*/
export function changeValue(value: unknown, change: Change, isPart = false, depth = maxDepth): unknown {
	if (typeof value === 'string') return change(value, isPart);
	if (typeof value !== 'object' || value === null) return isPart ? changePlain(value, change) : value;
	const json = JSON.stringify(value);
	const next = change(json, isPart);
	if (next === json) return value;
	const read = parsed(next);
	if (hasShapeOf(value, read, change)) return read;
	return depth === 0 ? next : changeMembers(value, change, depth);
}

/** Tells whether a value is nested deeper than members are changed separately. */
function isDeep(value: unknown): boolean {
	let level: readonly unknown[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > maxDepth) return true;
		level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []));
	}
	return false;
}

const maxDepth = 32;

/** Tells whether another value has the same members. Texts and numbers may differ, and names that are secrets. */
function hasShapeOf(value: unknown, other: unknown, change: Change): boolean {
	const pairs: Array<readonly [unknown, unknown]> = [[value, other]];
	for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
		const inner = innerPairs(pair, change);
		if (inner === undefined) return false;
		for (const each of inner) pairs.push(each);
	}
	return true;
}

/** Returns the members of two values in pairs, or `undefined` if the values differ. */
function innerPairs(
	[value, other]: readonly [unknown, unknown],
	change: Change,
): ReadonlyArray<readonly [unknown, unknown]> | undefined {
	if (typeof value !== 'object' || value === null)
		return typeof other === typeof value || typeof other === 'string' ? [] : undefined;
	if (typeof other !== 'object' || other === null || Array.isArray(value) !== Array.isArray(other)) return undefined;
	const others: ReadonlyArray<[string, unknown]> = Object.entries(other);
	const members: ReadonlyArray<[string, unknown]> = Object.entries(value);
	const isSame =
		members.length === others.length &&
		members.every(([key], index) => {
			const [name = ''] = others[index] ?? [];
			return name === key || name === change(key, true);
		});
	return isSame ? members.map(([, member], index) => [member, others[index]?.[1]] as const) : undefined;
}

/**
Changes each member of an object separately, together with its name. This is needed if the whole object is no longer
valid JSON without its secrets.
*/
function changeMembers(value: object, change: Change, depth: number): unknown {
	if (Array.isArray(value)) return value.map(one => changeValue(one, change, true, depth - 1));
	const members = Object.entries(value);
	const changed = members.map(([key, one]): unknown =>
		members.length > 1
			? changeValue({[key]: one}, change, true, depth)
			: {[change(key, true)]: changeValue(one, change, true, depth - 1)},
	);
	return Object.assign({}, ...changed);
}

/** Changes a value that is not a string, because a number may also be a secret. */
function changePlain(value: unknown, change: Change): unknown {
	const shown = String(value);
	const next = change(shown, true);
	return next === shown ? value : next;
}

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}
