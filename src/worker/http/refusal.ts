/** Why inkpod stops reading an answer. */
export type RefusalReason = 'answer_too_large' | 'event_too_large' | 'encoding' | 'not_decodable' | 'bad_status';

/** An answer that is not read to its end. */
export class AnswerRefused extends Error {
	readonly reason: RefusalReason;
	constructor(reason: RefusalReason, detail: string) {
		super(detail);
		this.name = 'AnswerRefused';
		this.reason = reason;
	}
}

/** The refusal among an error and its causes, however a library has wrapped it. */
export function refusalIn(error: unknown): AnswerRefused | undefined {
	let current = error;
	for (let depth = 0; depth < maxDepth && current instanceof Error; depth++) {
		if (current instanceof AnswerRefused) return current;
		current = current.cause;
	}
	return undefined;
}

const maxDepth = 16;
