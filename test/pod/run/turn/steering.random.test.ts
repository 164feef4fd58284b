import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import type {Receipt} from '../../../../src/pod/protocol.ts';
import type {PromptHook} from '../../../../src/pod/references/submission/submission.ts';
import type {Model} from '../../../../src/worker/index.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {refusePairs} from '../../../helpers/random-session.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says} from '../../../helpers/event-model.ts';
import {files, words} from './steering-stage.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_123);

describe('messages at any moment of a run that ends in any way', () => {
	type Said = {readonly on: 'delta' | 'item' | 'status'; readonly n: number; readonly text: string};
	const moment = {on: fc.constantFrom('delta', 'delta', 'item', 'status'), n: fc.integer({min: 1, max: 14})} as const;
	const said: fc.Arbitrary<Said> = fc.record({
		...moment,
		text: fc.constantFrom('plain', 'see @a.md', 'see @./missing.md', '/nope', 'hooked', 'slow', ' '),
	});
	const plan = fc.record({
		says: fc.array(said, {minLength: 1, maxLength: 6}),
		stop: fc.option(fc.record({...moment, method: fc.constantFrom('pause', 'cancel', 'shutdown')}), {
			nil: undefined,
		}),
		answers: fc.array(fc.constantFrom('text', 'text', 'call', 'call', 'error'), {minLength: 1, maxLength: 4}),
		maxTurns: fc.constantFrom(2, 3, 50),
		resumed: fc.boolean(),
	});
	const hook: PromptHook = async ({text}, signal) => {
		if (text.startsWith('slow'))
			for (let turns = 0; turns < 5 && !signal.aborted; turns++)
				await new Promise(resolve => setImmediate(resolve));
		return text.startsWith('hooked') ? {type: 'cancel', reason: 'No.'} : {type: 'continue'};
	};

	/**
	Creates a model that answers by plan, then with a text. It reports requests that a strict server would refuse.
	*/
	function modelOf(answers: readonly string[]): Model & {readonly refusals: string[]} {
		const refusals: string[] = [];
		let count = 0;
		return {
			name: 'told/model',
			refusals,
			async *stream({messages}, signal) {
				const kind = answers[count++] ?? 'text';
				const refusal =
					refusePairs(messages) ??
					(messages.at(-1)?.role === 'assistant' ? 'ends in words of the assistant' : undefined);
				if (refusal !== undefined) refusals.push(refusal);
				const events =
					kind === 'call'
						? answer(says('I look.'), calls(`c${count}`, 'read_file', {path: 'a.md'}))
						: answer(says('Some ', 'words.'));
				for (const event of kind === 'error'
					? [
							...events.slice(0, 3),
							{type: 'error', error: {reason: 'bad_request', message: 'No.', retryable: false}} as const,
						]
					: events) {
					await new Promise(resolve => setImmediate(resolve));
					if (signal.aborted) return;
					yield event;
				}
			},
		};
	}

	it(`are each committed once or refused once, in order, and none stays queued (seed ${seed})`, async () => {
		const project = await tempProject(files);
		await fc.assert(
			fc.asyncProperty(plan, async ({says: list, stop, answers, maxTurns, resumed}) => {
				const model = modelOf(resumed ? ['error', ...answers] : answers);
				const told = await testPod(project, {model, hook, limits: {...defaultLimits, maxTurns}});
				await told.run('go');
				if (resumed) await told.rest();
				const accepted: string[] = [];
				const sentTexts: string[] = [];
				const receipts: Array<Promise<Receipt>> = [];
				for (const [index, {on, n, text}] of list.entries()) {
					at(told, on, n, () => {
						const own = text.trim() === '' ? text : `${text} #${index}`;
						sentTexts.push(own);
						receipts.push(
							told.pod.send({method: 'steer', segments: [{type: 'text', text: own}]}).then(receipt => {
								if (receipt.accepted) accepted.push(own);
								return receipt;
							}),
						);
					});
				}
				if (stop !== undefined) at(told, stop.on, stop.n, () => void told.pod.send({method: stop.method}));
				if (resumed) await told.pod.send({method: 'resume'});
				await told.until(events => events.at(-1)?.type === 'closed' || told.status().kind !== 'running');
				const all = await Promise.all(receipts);
				const delivered = words(told.items())
					.slice(1)
					.map(text => text.replace('[unresolved file ref: ./missing.md]', '@./missing.md'));
				expect(delivered).toEqual(accepted);
				expect(delivered).toEqual(sentTexts.filter(text => accepted.includes(text)));
				expect(new Set(delivered).size).toBe(delivered.length);
				for (const receipt of all)
					if (!receipt.accepted)
						expect(['aborted', 'not_running', 'hook', 'workflow', 'empty', 'closed']).toContain(
							receipt.code,
						);
				expect(told.status().queue).toEqual([]);
				expect(model.refusals).toEqual([]);
				await told.pod.send({method: 'shutdown'});
				// An earlier shutdown may still be closing the session.
				await told.until(events => events.some(({type}) => type === 'closed'));
				const again = await testPod(project, {model, session: await reopened(told)});
				expect(again.items()).toEqual(told.items());
				expect(again.status().kind).toBe(told.status().kind);
				await again.pod.send({method: 'shutdown'});
			}),
			{seed, numRuns: long ? 600 : 30},
		);
	});

	/** Calls a function at the nth event of a kind, counted from now. */
	function at({pod}: TestPod, on: Said['on'], n: number, then: () => void): void {
		let count = 0;
		pod.subscribe(event => {
			if (event.type === on && ++count === n) then();
		});
	}
});
