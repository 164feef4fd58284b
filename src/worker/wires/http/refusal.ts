import {en} from '../../../language/index.ts';
import {causeIn} from './cause.ts';

/** The reasons why inkpod stops reading an answer. */
type RefusalReason =
	| 'answer_too_large'
	| 'event_too_large'
	| 'too_many_parts'
	| 'broken_events'
	| 'encoding'
	| 'not_decodable'
	| 'bad_status'
	| 'page'
	| 'text'
	| 'broken_json'
	| 'not_an_answer'
	/** The answer has no event. */
	| 'empty';

/** The error of an answer that is not read to its end. */
export class AnswerRefused extends Error {
	readonly reason: RefusalReason;
	/** What the server did, as the predicate of a sentence. */
	readonly predicate: string;
	/** `detail` is a size, a name, a status or the server's words. */
	constructor(reason: RefusalReason, detail: string) {
		const predicate = predicates[reason](detail);
		super(en`it ${predicate}`);
		this.name = 'AnswerRefused';
		this.reason = reason;
		this.predicate = predicate;
	}
}

const predicates: {readonly [Reason in RefusalReason]: (detail: string) => string} = {
	answer_too_large: size => en`sent an answer larger than ${size}`,
	event_too_large: size => en`sent a single event larger than ${size}`,
	too_many_parts: max => en`sent an answer of more than ${max} parts`,
	broken_events: max => en`sent more than ${max} events of broken JSON`,
	encoding: names => en`sent an answer in an encoding that inkpod does not read (${names})`,
	not_decodable: name => en`sent an answer with broken compression (${name})`,
	bad_status: status => en`answered with ${status}, which is not an HTTP status`,
	page: title =>
		title === '' ? en`sent a web page instead of an answer` : en`sent a web page instead of an answer (“${title}”)`,
	text: words =>
		words === '' ? en`sent text instead of an answer` : en`sent text instead of an answer (“${words}”)`,
	broken_json: () => en`sent an answer of broken JSON`,
	not_an_answer: () => en`sent JSON that is not an answer`,
	empty: () => en`answered without content`,
};

/** Searches an error and its causes for a refusal, because libraries wrap errors in other errors. */
export function refusalIn(error: unknown): AnswerRefused | undefined {
	return causeIn(error, AnswerRefused);
}
