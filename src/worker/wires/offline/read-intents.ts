import {replaceIn, runCommand, writeTo} from './change-rules.ts';
import type {Intent, Rule} from './intent.ts';
import {listFiles, readFiles} from './file-rules.ts';
import {pattern, quotedText} from './patterns.ts';
import {searchFor} from './search-rules.ts';

/** Returns the intents of a message, in order. Returns no intents if no rule matches. */
export function readIntents(message: string): readonly Intent[] {
	const text = message.slice(0, maxChars).replaceAll(/\[unresolved file ref: [^\]\n]*\]/g, ' ');
	return clausesOf(text).flatMap(clause => {
		for (const rule of rules) {
			const intent = rule(clause);
			if (intent !== undefined) return [intent];
		}
		return [];
	});
}

/** Rules read only the beginning of a message: a long paste is not a request. */
const maxChars = 2000;
const maxClause = 400;

const rules: readonly Rule[] = [replaceIn, writeTo, runCommand, listFiles, searchFor, readFiles];

const verbs = [
	'list|find|search|grep|look|read|show|open|print|display|run|execute|replace|change|rename|count|write|create|',
	'explain|summari[sz]e|describe',
].join('');

const clauseEnd = pattern(
	String.raw`(?:[,;]?\s+(?:and\s+)?then\b,?|;|\n|[.!?](?=\s|$)|[,;]?\s+and(?=\s+(?:${verbs})\b)|`,
	String.raw`(?<!\bin\s+\S{1,200}),(?=\s+(?:${verbs})\b))`,
);

/** Splits a message where a new request begins. It does not split quoted text. */
function clausesOf(text: string): readonly string[] {
	const quotes: string[] = [];
	const hidden = text.replaceAll(new RegExp(quotedText, 'g'), quote => `\uE000${quotes.push(quote) - 1}\uE001`);
	return hidden
		.split(clauseEnd)
		.map(part =>
			part
				.replaceAll(/\uE000(\d+)\uE001/g, (_, index: string) => quotes[Number(index)] ?? '')
				.trim()
				.slice(0, maxClause),
		)
		.filter(part => part !== '');
}
