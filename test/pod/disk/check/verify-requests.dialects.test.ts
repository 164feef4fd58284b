import {expect, it} from 'vitest';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import {requestSettings, type Answer} from '../../../../src/worker/index.ts';
import {loadModel} from '../../../../src/worker/wires/load.ts';
import {testPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {startServer, type ServerAnswer} from '../../../helpers/wire-servers/index.ts';
import {specAt} from '../../../worker/wires/wire-model.ts';

const overloaded: ServerAnswer = {status: 529, body: '{"error": {"message": "Overloaded"}}'};
const lost = {type: 'reasoning', text: 'Lost.'} as const;

const failures: Readonly<Record<string, readonly ServerAnswer[]>> = {
	'a cut after a thought': [[lost, {type: 'cut'}]],
	'an error after a thought': [[lost, {type: 'error', reason: 'overloaded', message: 'Overloaded'}]],
	'a cut after a thought, then status 529': [[lost, {type: 'cut'}], overloaded],
};

const rows = (['safe', 'deepseek', 'kimi', 'openrouter', 'gemini'] as const).flatMap(dialect =>
	Object.keys(failures).map(failure => ({dialect, failure})),
);

/** The same limits with short waits before another try. */
const retry = {maxAttempts: 6, maxWaitMs: 1000, baseMs: 1, maxMs: 2};
const limits = {...defaultLimits, retry};

/** The answers of a turn with a call, whose requests may be repeated. */
function answersOf(turn: string, repeated: readonly ServerAnswer[] = []): readonly ServerAnswer[] {
	const first: Answer = [
		{type: 'reasoning', text: `I look on turn ${turn}.`},
		{type: 'tool_call', callId: `call${turn}`, name: 'glob', arguments: {pattern: `${turn}.ts`}},
	];
	const last: Answer = [
		{type: 'reasoning', text: `I know on turn ${turn}.`},
		{type: 'text', text: 'None.'},
	];
	return [...repeated, first, ...repeated, last];
}

it.each(rows)('verifies a session in the dialect $dialect after $failure', async ({dialect, failure}) => {
	const answers = [...answersOf('A'), ...answersOf('B', failures[failure]), ...answersOf('C')];
	await using server = await startServer('openai-compatible', answers, {dialect});
	const spec = specAt(dialect, server);
	const {pod, run, rest, items} = await testPod(await tempProject(), {
		model: await loadModel(spec),
		settings: requestSettings(spec),
		limits,
	});
	for (const text of ['One.', 'Two.', 'Three.']) {
		await run(text);
		await rest();
	}
	expect(server.refusals).toEqual([]);
	const sent = server.requests.length;
	expect(sent).toBe(answers.length);
	expect(await verifyRequests(items())).toMatchObject({same: sent, different: 0, unmade: 0, unchecked: 0});
	await pod.send({method: 'shutdown'});
});
