import {findCredentials} from './credentials.ts';
import type {Finding} from './finding.ts';
import {findNamedValues} from './named-values.ts';
import {findPrivateKeys} from './private-keys.ts';
import {findServiceKeys} from './service-keys.ts';
import {viewsOf} from './views.ts';

/**
Returns everything in a text that looks like a secret, in order and without overlaps. JSON in the text is read as the
values that it stands for, twice, so a secret is the same one in a message and in the arguments of a call.
*/
export function findSecrets(text: string): readonly Finding[] {
	const found: Leveled[] = [];
	for (const {text: shown, origin, level} of viewsOf(text))
		for (const finder of finders)
			for (const finding of finder(shown))
				found.push({...finding, start: origin(finding.start), end: origin(finding.end), level});
	return withoutOverlaps(found);
}

/** The order matters: of two secrets at the same place, the first one names it. */
const finders = [findPrivateKeys, findServiceKeys, findCredentials, findNamedValues];

type Leveled = Finding & {readonly level: number};

/** Joins findings that overlap. The longest of them is the secret, and of equal ones the one that is decoded most. */
function withoutOverlaps(found: readonly Leveled[]): readonly Finding[] {
	const joined: Leveled[] = [];
	for (const next of found.toSorted((one, other) => one.start - other.start)) {
		const last = joined.at(-1);
		if (last === undefined || next.start >= last.end) {
			joined.push(next);
			continue;
		}
		const isLonger = lengthOf(next) - lengthOf(last) || next.level - last.level;
		const [main, less] = isLonger > 0 ? [next, last] : [last, next];
		const also = [...(main.also ?? []), ...(less.also ?? [])];
		joined[joined.length - 1] = {...main, start: last.start, end: Math.max(last.end, next.end), also};
	}
	return joined;
}

function lengthOf({start, end}: Finding): number {
	return end - start;
}
