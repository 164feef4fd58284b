import type {Answer} from '../../../src/worker/wires/script.ts';
import type {Json} from './speech.ts';

/**
Returns the answer with the token count of a server that reads at most `window` tokens of a request. It drops the first
messages behind the system prompt, and reports nothing but the count of the others.
*/
export function countedIn(window: number, answer: Answer, body: Json): Answer {
	const [system, ...messages]: readonly Json[] = body.messages;
	const own = tokensOf(system) + tokensOf(body.tools ?? []);
	let rest = messages.map(message => tokensOf(message));
	while (rest.length > 1 && own + sum(rest) > window) rest = rest.slice(1);
	const input = Math.min(window, own + sum(rest));
	return [...answer.filter(({type}) => type !== 'usage'), {type: 'usage', input, output: 20}];
}

function tokensOf(value: Json): number {
	return Math.ceil(JSON.stringify(value).length / 4);
}

function sum(counts: readonly number[]): number {
	return counts.reduce((all, count) => all + count, 0);
}
