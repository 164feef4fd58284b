import {expect, it} from 'vitest';
import {readSession} from '../../src/pod/session/read.ts';
import {verifySession} from '../../src/pod/session/verify.ts';
import {blocksOf} from '../../src/tui/transcript/fold/state.ts';
import {createTranscriptStore} from '../../src/tui/transcript/store.ts';
import {scriptedModel, systemClock} from '../../src/worker/index.ts';
import {numbersFrom} from '../helpers/chance.ts';
import {reopened, testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

it('a clock that jumps changes only times: no negative durations, unique ids, the same after a restart', async () => {
	const random = numbersFrom(20_261_121);
	const clock = {...systemClock(), now: () => Date.UTC(2026, 0, 1) + Math.floor((random() - 0.5) * 4e10)};
	const project = await tempProject({'a.md': 'one\n'});
	const model = scriptedModel([
		[
			{type: 'reasoning', text: 'I look.'},
			{type: 'tool_call', name: 'read_file', arguments: {path: 'a.md'}},
		],
		[{type: 'text', text: 'one'}],
		[{type: 'text', text: 'again'}],
	]);
	const first = await testPod(project, {model, clock});
	expect(await first.run('see @a.md')).toEqual({accepted: true});
	await first.rest();
	await first.pod.send({method: 'shutdown'});
	const second = await testPod(project, {model, clock, session: await reopened(first)});
	expect(second.items()).toEqual(first.items());
	await second.run('again');
	await second.rest();
	const items = second.items();
	expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	for (const item of items) if ('ms' in item) expect(item.ms).toBeGreaterThanOrEqual(0);
	expect(new Set(items.map(({id}) => id)).size).toBe(items.length);
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: project.scope},
		items,
		tail: [],
		status: second.status(),
	});
	for (const block of blocksOf(store.transcript))
		if (block.kind === 'usage') expect(block.run.ms).toBeGreaterThanOrEqual(0);
	store.dispose();
	const read = await readSession(first.session.dir);
	expect(read.ok && verifySession(read.session)).toMatchObject({ok: true, findings: []});
});
