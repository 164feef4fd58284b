import type {OwnParts} from '../pod/index.ts';
import type {OwnModel} from './types.ts';

type Model = NonNullable<OwnParts['model']>;
type ModelEvent = ReturnType<Model['stream']> extends AsyncIterable<infer Event> ? Event : never;

/**
Converts a model of the caller to a model for the worker. The result fulfils the contract of models even if the caller's
code does not: an abort ends it at once, and an exception or a missing end becomes an error of the answer.
*/
export function ownModelOf(model: OwnModel): Model {
	const {name} = model;
	return {name, stream: (request, signal) => guarded(name, () => model.stream(request, signal), signal)};
}

async function* guarded(
	name: string,
	begin: () => ReturnType<OwnModel['stream']>,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	const {promise: stopped, resolve} = Promise.withResolvers<'aborted'>();
	const stop = () => resolve('aborted');
	signal.addEventListener('abort', stop, {once: true});
	if (signal.aborted) stop();
	let parts: AsyncIterator<ModelEvent> | undefined;
	try {
		parts = begin()[Symbol.asyncIterator]();
		for (;;) {
			const next = await Promise.race([parts.next(), stopped]);
			const event = next === 'aborted' || next.done === true ? missingEnd(name, next === 'aborted') : next.value;
			yield event;
			if (event.type === 'finish' || event.type === 'error') break;
		}
	} catch (error) {
		yield failure('other', `${name} failed: ${error instanceof Error ? error.message : String(error)}`);
	} finally {
		signal.removeEventListener('abort', stop);
		// The code does not wait for an iterator that does not end.
		void parts?.return?.().catch(() => {});
	}
}

function missingEnd(name: string, isStopped: boolean): ModelEvent {
	return isStopped
		? failure('aborted', `${name} was stopped.`)
		: failure('bad_response', `${name} ended its answer without a finish.`);
}

function failure(reason: 'aborted' | 'bad_response' | 'other', message: string): ModelEvent {
	return {type: 'error', error: {reason, message, retryable: false}};
}
