import type {ModelEvent, ModelFailure} from '../history/model.ts';
import {stalled, type FailureContext} from './failure.ts';
import {isLocalAddress} from './http/loopback.ts';
import type {StallTimeout} from './stall-timeout.ts';
import type {WireOptions} from './wire.ts';

/** The maximum time without content in one answer, in milliseconds. */
type SilenceLimits = {
	/** The time until the first content. Headers, roles, comments and empty pieces are not content. */
	readonly firstMs: number;
	/** The time between two pieces of content. */
	readonly nextMs: number;
};

type LimitOptions = Pick<WireOptions, 'firstTokenTimeoutMs' | 'stallTimeoutMs'>;

/**
Returns the limits for a server. A local server gets more time, because it sends nothing while it loads a model and
reads a long prompt. A long `stallTimeoutMs` of the user also applies before the first content.
*/
export function silenceLimits({firstTokenTimeoutMs, stallTimeoutMs}: LimitOptions, isLocal: boolean): SilenceLimits {
	const {firstMs, nextMs} = isLocal ? localLimits : usualLimits;
	return {
		firstMs: firstTokenTimeoutMs ?? Math.max(firstMs, stallTimeoutMs ?? 0),
		nextMs: stallTimeoutMs ?? nextMs,
	};
}

const usualLimits: SilenceLimits = {firstMs: 300_000, nextMs: 90_000};
const localLimits: SilenceLimits = {firstMs: 600_000, nextMs: 300_000};

/** The number of milliseconds by which batches can delay the end of an answer. */
const endMs = 1000;

/** Sets the stall timeout of one answer to the limit of each phase. */
export class Silence {
	readonly #stall: StallTimeout;
	readonly #options: LimitOptions;
	#limits: SilenceLimits;
	#hasContent = false;
	#isSent = false;
	/** How long the answer may be silent after the model has stopped. */
	#lastMs = 0;

	constructor(stall: StallTimeout, options: LimitOptions, isLocal: boolean) {
		this.#stall = stall;
		this.#options = options;
		this.#limits = silenceLimits(options, isLocal);
	}

	/** Call this right before the request is sent. */
	onSend(): void {
		this.#isSent = true;
	}

	readonly onConnect = (address: string): void => {
		if (!isLocalAddress(address)) return;
		this.#limits = silenceLimits(this.#options, true);
		this.#stall.restart(this.#ms());
	};

	readonly onBytes = (): void => this.#stall.extend();

	readonly onFinish = (ms: number): void => {
		this.#hasContent = true;
		this.#lastMs = ms + endMs;
		this.#stall.restart(this.#ms());
	};

	/** Starts the next phase if one of these events is content. */
	onEvents(events: readonly ModelEvent[]): void {
		if (!events.some(isContent)) return;
		this.#hasContent = true;
		this.#stall.restart(this.#ms());
	}

	failure(context: FailureContext): ModelFailure {
		return stalled(context, {ms: this.#ms(), hasContent: this.#hasContent, isSent: this.#isSent});
	}

	#ms(): number {
		const {firstMs, nextMs} = this.#limits;
		return this.#hasContent ? Math.max(nextMs, this.#lastMs) : firstMs;
	}
}

/** The beginning of a text or of a thought is not content, because it may be empty. */
function isContent(event: ModelEvent): boolean {
	if (event.type === 'start') return event.part.type === 'tool_call' || event.part.type === 'unread';
	return event.type === 'delta' || event.type === 'finish';
}
