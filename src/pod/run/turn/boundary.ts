import type {Interceptor} from '../../../worker/index.ts';

/**
Pauses a run at its next boundary: before a request, or before a call that has not begun. So no answer is cut, and no
tool is stopped.
*/
export type Boundary = {
	readonly isWanted: () => boolean;
	/** Sets whether runs pause at their next boundary. */
	want(isWanted: boolean): void;
	readonly interceptor: Required<Pick<Interceptor, 'preRequest' | 'preToolCall'>>;
};

export function createBoundary(): Boundary {
	let wanted = false;
	const pauseHere = () => ({type: wanted ? 'pause' : 'continue'}) as const;
	return {
		isWanted: () => wanted,
		want(isWanted) {
			wanted = isWanted;
		},
		interceptor: {preRequest: pauseHere, preToolCall: pauseHere},
	};
}
