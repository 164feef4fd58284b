import {setTimeout as sleep} from 'node:timers/promises';
import {onTestFinished} from 'vitest';
import type {Answer, StepOf} from '../../src/worker/wires/script.ts';
import {startServer} from './wire-servers/index.ts';

/** The options of a chat with a test's model. Its status line names `anthropic/test`. */
export type ModelOptions = {readonly args: readonly string[]; readonly env: Readonly<Record<string, string>>};

/**
Creates a model whose pace the test controls. It awaits `delay` before each piece of a step with a `delayMs`. `piece`
counts from 0.
*/
export async function pacedModel(
	answers: readonly Answer[],
	delay: (ms: number, piece: number) => Promise<unknown>,
): Promise<ModelOptions> {
	let piece = 0;
	const server = await startServer('anthropic', answers, {delay: async ms => delay(ms, piece++)});
	onTestFinished(async () => server.close());
	return {args: ['--model', 'anthropic/test'], env: {ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: server.url}};
}

/**
Creates a model that pauses in its first answer until the test calls `goOn`. It waits after the first piece of a step
with a `delayMs`.
*/
export async function blockedModel(
	first: Answer,
	...then: readonly string[]
): Promise<{readonly options: ModelOptions; readonly goOn: () => void}> {
	const gate = Promise.withResolvers<void>();
	const options = await pacedModel(
		[first, ...then.map((text): Answer => [{type: 'text', text}])],
		async (ms, piece) => {
			if (piece > 0) await gate.promise;
			await sleep(ms);
		},
	);
	return {options, goOn: gate.resolve};
}

/** Makes a text that the model sends in two pieces. */
export function inTwo(begin: string, rest: string): StepOf<'text'> {
	return {type: 'text', text: begin + rest, chunk: begin.length, delayMs: 0};
}
