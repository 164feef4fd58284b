import type {z} from 'zod';
import {nearestName} from '../ground/text/nearest-name.ts';
import {isRecord} from '../ground/values/is-record.ts';

/**
The tables in which an unknown key is an error, because a typing error there could give more permissions than the user
meant. An unknown table whose name is similar to one of these is also an error. Some of these tables do not exist in
inkpod yet.
*/
const strictTables: readonly string[] = [
	'scope',
	'permission',
	'hook',
	'confine',
	'limits',
	'max_turns',
	'max_cost',
	'file_refs',
	'tools',
	// A typing error in an address would send your messages to another server.
	'providers',
];

/** Tells whether an unknown key is an error and not only a warning. */
export function isStrictKey([table = '', ...rest]: readonly string[], known: readonly string[]): boolean {
	if (strictTables.includes(table)) return true;
	return rest.length === 0 && strictTables.includes(nearestName(table, [...known, ...strictTables]) ?? '');
}

/** Returns the paths of all unknown keys in the result of a schema's check. */
export function unknownKeysIn(error: z.ZodError): ReadonlyArray<readonly string[]> {
	return error.issues.flatMap(issue =>
		issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path.map(String), key]) : [],
	);
}

/** Returns a table without the key at a path. */
export function withoutKey(table: unknown, [key, ...rest]: readonly string[]): unknown {
	if (key === undefined) return table;
	if (Array.isArray(table))
		return table.map((each: unknown, at) => (String(at) === key ? withoutKey(each, rest) : each));
	if (!isRecord(table)) return table;
	return Object.fromEntries(
		Object.entries(table).flatMap(([name, value]): ReadonlyArray<readonly [string, unknown]> => {
			if (name !== key) return [[name, value]];
			return rest.length === 0 ? [] : [[name, withoutKey(value, rest)]];
		}),
	);
}
