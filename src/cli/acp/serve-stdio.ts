import {ndJsonStream} from '@agentclientprotocol/sdk';
import {serveEditor} from '../../acp/agent.ts';

import {watchOutput, watchSignals} from '../output/signals.ts';
import type {Host} from '../../acp/host.ts';
import {escapeSeparators} from '../../pod/first-frame.ts';
import {createHost} from './host.ts';
import type {AcpOptions} from './options.ts';

type Input = {
	/** The first line, and what was read after it. */
	readonly read: readonly [first: Buffer, rest: Buffer];
	readonly chunks: AsyncGenerator<Buffer>;
	readonly initialize: Host['initialize'];
	/** Whether the editor has the answer to the first line already. The protocol answers it a second time. */
	readonly isAnswered: boolean;
};

/** Serves an editor until its stream ends. */
export async function serveStdio({stdout, exit, start, env}: AcpOptions, input: Input): Promise<void> {
	watchOutput(process, exit);
	watchSignals(exit, () => {});
	const answered = Promise.withResolvers<void>();
	const output = webOutput(stdout, input.isAnswered ? answered.resolve : undefined);
	if (!input.isAnswered) answered.resolve();
	const stream = ndJsonStream(output, webInput(input, answered.promise));
	await serveEditor(stream, createHost({start, env, initialize: input.initialize}), exit.signal);
}

/** Reads only as fast as the messages are handled. What follows the first line waits until that is answered. */
function webInput({read: [first, rest], chunks}: Input, answered: Promise<void>): ReadableStream<Uint8Array> {
	let isFirst = true;
	return new ReadableStream<Uint8Array>({
		start(controller) {
			if (first.length > 0) controller.enqueue(first);
		},
		async pull(controller) {
			await answered;
			const isRest = isFirst && rest.length > 0;
			isFirst = false;
			const {value, done} = isRest ? {value: rest, done: false} : await chunks.next();
			if (done === true) controller.close();
			else controller.enqueue(value);
		},
	});
}

/**
Writes to a stream and waits while it is full, so that a slow editor does not fill the memory of this process.
`onFirst`: the first message is not written, because the editor has it already.
*/
function webOutput(stdout: NodeJS.WritableStream, onFirst: (() => void) | undefined): WritableStream<Uint8Array> {
	let isFirst = onFirst !== undefined;
	return new WritableStream<Uint8Array>({
		async write(chunk) {
			if (isFirst) {
				isFirst = false;
				// The protocol counts the answer as sent in this turn of the event loop.
				setImmediate(() => onFirst?.());
				return;
			}
			// A chunk is a whole message.
			const line = escapeSeparators(Buffer.from(chunk).toString());
			await new Promise<void>((resolve, reject) => {
				stdout.write(line, error => (error === null || error === undefined ? resolve() : reject(error)));
			});
		},
	});
}
